export type { Caller, UserParts } from './changes.ts';
export { nextUserVersion } from './conflict.ts';
export { permissionsOf, presentUser } from './present.ts';
export {
  anyUserExists,
  endSessionsOf,
  findUser,
  findUserByEmail,
  holdUser,
  insertFirstUser,
  insertUser,
  preferencesOf,
  revokeTokensOf,
  type StoredUser,
  type UserChanges,
  updateUser,
  updateUserAsChecked,
} from './repository.ts';
export { userRoutes } from './routes.ts';
export { refuseHigher } from './users.ts';
