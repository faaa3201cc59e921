/** Whether it is a key of the table's own: `constructor` is one of every object. */
export function isKeyOf<T extends object>(table: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(table, key);
}
