import { type FieldError, type FieldErrors, get, set } from 'react-hook-form'

type Leaf = { path: string[]; error: FieldError }

/** Returns the errors of a form as a list, with their paths. */
const leavesOf = (node: unknown, path: string[] = []): Leaf[] => {
  if (typeof node !== 'object' || node === null) return []
  // fields may be called `type` and `message` too: those of an error are texts
  const { type, message } = node as { type?: unknown; message?: unknown }
  if (typeof type === 'string' || typeof message === 'string') return [{ path, error: node as FieldError }]
  return Object.entries(node).flatMap(([key, value]) => leavesOf(value, [...path, key]))
}

/** Returns the number of errors in a part of a form's errors. */
export const countErrors = (errors: unknown): number => leavesOf(errors).length

/** The name of the field that an error belongs to; the error of a whole list is at the list's root. */
const nameOf = (path: readonly string[]) => (path.at(-1) === 'root' ? path.slice(0, -1) : path).join('.')

/**
 * Returns errors of a call's body with their texts, under the names of the form's own fields; of two with one name, the
 * first one is kept.
 */
export function fieldErrors(
  errors: FieldErrors,
  fieldOf: (field: string) => string,
  text: (code: string) => string,
): FieldErrors {
  const result: FieldErrors = {}
  for (const { path, error } of leavesOf(errors)) {
    const bodyName = nameOf(path)
    const name = fieldOf(bodyName)
    const place = name === bodyName ? path.join('.') : name
    const { message } = error
    if (!get(result, place)) set(result, place, { ...error, ...(message ? { message: text(message) } : {}) })
  }
  return result
}

/** Returns, without duplicates, the texts of errors that no visible field shows. */
export function errorsElsewhere(errors: FieldErrors, isShown: (field: string) => boolean): string[] {
  const hidden = leavesOf(errors).filter(({ path }) => !isShown(nameOf(path)))
  return [...new Set(hidden.flatMap(({ error: { message } }) => message ?? []))]
}
