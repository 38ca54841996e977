/**
 * Gives a text that an application can't do without. Throws where it is missing: put into a text by itself, what is
 * missing would become `undefined`, which is the same for everybody.
 */
export function needed(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') throw new Error(`${name} is missing`)
  return value
}
