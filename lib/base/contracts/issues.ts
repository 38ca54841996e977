import type { z } from 'zod'
import type { FieldError } from '../runtime/errors'

type Issue = {
  code?: string
  path?: PropertyKey[]
  input?: unknown
  keys?: string[]
  maximum?: unknown
  minimum?: unknown
  message?: string
}

const isCode = (message: string | undefined) => message !== undefined && /^error[A-Z]\w*$/.test(message)

/** Returns the message key of a zod issue for which the schema has none. It is passed to zod as the error map. */
export function issueCode(issue: Issue): string {
  if (issue.code === 'invalid_type' && (issue.input === undefined || issue.input === null)) return 'errorEmpty'
  if (issue.code === 'too_small' && issue.input === '') return 'errorEmpty'
  if (issue.code === 'too_big') return 'errorTooLong'
  if (issue.code === 'unrecognized_keys') return 'errorUnknownField'
  return 'errorFormat'
}

/** Returns the field errors of a failed parse: fields are dotted paths, unknown keys are named one by one. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  const list: FieldError[] = []
  const fields = new Set<string>()
  const add = (path: PropertyKey[], code: string) => {
    const field = path.join('.').slice(0, 200)
    if (fields.has(field)) return
    fields.add(field)
    list.push({ field, code })
  }
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) add([...issue.path, key], 'errorUnknownField')
    else add(issue.path, isCode(issue.message) ? issue.message : issueCode(issue))
  }
  return list
}
