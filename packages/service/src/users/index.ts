export { permissionsOf, presentUser } from './present.ts';
export { anyUserExists, findUser, findUserByEmail, insertUser, type StoredUser } from './repository.ts';
