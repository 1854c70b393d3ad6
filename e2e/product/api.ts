/** A signed-in administrator of a started product, for what a test wants done rather than tested. */
export interface Api {
  readonly token: string;
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
  put(path: string, body: object): Promise<unknown>;
}

/**
 * Signs in with the account that the environment made. Rejects on any answer that is not a success.
 * @param userAgent what the session is listed as
 */
export async function signIn(
  console: string,
  email: string,
  password: string,
  userAgent = 'node',
): Promise<Api> {
  const call = async (method: string, path: string, token?: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${console}/api${path}`, {
      method,
      headers: {
        'user-agent': userAgent,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  };
  const { token } = (await call('POST', '/auth/login', undefined, { email, password })) as { token: string };
  return {
    token,
    get: (path) => call('GET', path, token),
    post: (path, body) => call('POST', path, token, body),
    put: (path, body) => call('PUT', path, token, body),
  };
}
