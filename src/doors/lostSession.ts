/** The server does not know the session any more; of what was asked in it nothing has been done. */
export class LostSession extends Error {
  override readonly name = 'LostSession';
}
