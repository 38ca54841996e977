/** What a choice among schemas looks at. */
export type SchemaChoice = {
  id: string
  base: boolean
  firstFactor: readonly string[]
  secondFactor: readonly string[]
  roleIds: readonly string[]
}

/**
 * Returns the schema that applies to a user (docs/rules/sign-in.md#schemas): their own, else the one of the highest
 * priority that is tied to one of their roles, else the base one. `schemas` are the active ones, highest priority
 * first.
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

/** What of an account decides what is demanded of it. */
type Demanded = {
  authenticationSchemaId: string | null
  roleIds: readonly string[]
  needsEmailProof: boolean
  isMobileDoubtful: boolean
}

/** The schema of an account. In place of a mobile that may be somebody else's its e-mail is the first factor. */
export function ownDemand<S extends SchemaChoice>(
  schemas: readonly S[],
  account: Omit<Demanded, 'needsEmailProof'>,
): S {
  const schema = schemaFor(schemas, account.authenticationSchemaId, account.roleIds)
  if (!account.isMobileDoubtful) return schema
  const firstFactor = schema.firstFactor.map((flow) => (flow === 'sms_code' ? 'email_code' : flow))
  return { ...schema, firstFactor: [...new Set(firstFactor)] }
}

/** What is demanded besides: a code by e-mail, if somebody with less prepared the account (docs/rules/access.md#prepared-accounts). */
export const furtherDemands = ({ needsEmailProof }: Pick<Demanded, 'needsEmailProof'>) =>
  needsEmailProof ? [{ firstFactor: ['email_code'], secondFactor: [] }] : []

/**
 * Returns the schema that an unknown identifier or a disabled account shows: always the same one for an identifier,
 * with the frequencies of the real ones. `hash` is a keyed hash, so that nobody can compute the result.
 */
export function simulatedSchema<S extends SchemaChoice & { usersCount: number }>(
  schemas: readonly S[],
  hash: string,
): S {
  const weighted = schemas.filter(({ usersCount }) => usersCount > 0)
  const total = weighted.reduce((sum, { usersCount }) => sum + usersCount, 0)
  // a share of the total, not a remainder: when the number of users changes, few identifiers change their schema
  let point = (Buffer.from(hash, 'base64url').readUIntBE(0, 6) / 2 ** 48) * total
  for (const schema of weighted) {
    if (point < schema.usersCount) return schema
    point -= schema.usersCount
  }
  return schemaFor(schemas, null, [])
}
