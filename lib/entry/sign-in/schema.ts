export type SchemaChoice = {
  id: string
  base: boolean
  firstFactor: readonly string[]
  secondFactor: readonly string[]
  roleIds: readonly string[]
  usersCount: number
}

/**
 * Whose schema applies (docs/rules/sign-in.md#schemas): the user's own, else the one of highest priority tied to a
 * role of theirs, else the base one. `schemas` are the active ones, highest priority first.
 */
export function schemaFor<S extends SchemaChoice>(
  schemas: readonly S[],
  own: string | null,
  roleIds: readonly string[],
): S {
  const chosen =
    schemas.find(({ id }) => id === own) ??
    schemas.find((schema) => schema.roleIds.some((id) => roleIds.includes(id))) ??
    schemas.find(({ base }) => base)
  if (!chosen) throw new Error('there is no base authentication schema')
  return chosen
}

/**
 * The schema shown for an identifier that nobody has, or whose account is blocked: always the same one for the
 * same identifier, spread like the real ones. `hash` is a keyed hash, so that nobody can compute it.
 */
export function simulatedSchema<S extends SchemaChoice>(schemas: readonly S[], hash: string): S {
  const weighted = schemas.filter(({ usersCount }) => usersCount > 0)
  const total = weighted.reduce((sum, { usersCount }) => sum + usersCount, 0)
  // a share of the whole rather than a remainder: when somebody joins or leaves, only what is near a border moves
  let point = (Buffer.from(hash, 'base64url').readUIntBE(0, 6) / 2 ** 48) * total
  for (const schema of weighted) {
    if (point < schema.usersCount) return schema
    point -= schema.usersCount
  }
  return schemaFor(schemas, null, [])
}
