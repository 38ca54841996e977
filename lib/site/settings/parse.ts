import { definitions, type SettingId, type Settings } from './definitions'

type Parsed<I extends SettingId> = { value: Settings[I] } | { code: string }

/** Checks a stored value against its definition. Returns the value as code reads it, or the code of its fault. */
export function parseSetting<I extends SettingId>(id: I, raw: unknown): Parsed<I> {
  const result = definitions[id].schema.safeParse(raw)
  if (result.success) return { value: result.data as Settings[I] }
  const message = result.error.issues[0]?.message ?? ''
  return { code: /^error[A-Z]\w*$/.test(message) ? message : 'errorFormat' }
}
