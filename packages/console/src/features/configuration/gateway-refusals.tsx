import { useQuery } from '@tanstack/react-query';
import { Banner } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import { fleetQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';

const words = messages.configuration.gateway;
const refreshMs = 10_000;

/** Gateways that refused the newest version and serve on by an older one, each with its reason. */
export function GatewayRefusals() {
  const fleet = useQuery({
    ...fleetQuery,
    enabled: usePermission('metrics:view'),
    refetchInterval: refreshMs,
  });
  return fleet.data?.members.map(({ id, refused, configVersion, state }) =>
    refused && state === 'present' ? (
      <Banner key={id} tone="danger">
        <strong>{words.refused(id, refused.version)}.</strong> {refused.reason}{' '}
        {configVersion === undefined ? words.servesNothing : words.servesBy(configVersion)}
      </Banner>
    ) : null,
  );
}
