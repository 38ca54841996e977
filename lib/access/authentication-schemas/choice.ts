/** The fields by which an authentication schema is chosen. */
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
  ownSchemaId: string | null,
  roleIds: readonly string[],
): S {
  const schema =
    schemas.find(({ id }) => id === ownSchemaId) ??
    schemas.find((tied) => tied.roleIds.some((id) => roleIds.includes(id))) ??
    schemas.find(({ base }) => base)
  if (!schema) throw new Error('there is no base authentication schema')
  return schema
}

/** The fields of an account that decide which schema applies to it and which factors it needs besides. */
type SchemaAccount = {
  authenticationSchemaId: string | null
  roleIds: readonly string[]
  needsEmailProof: boolean
  isMobileDoubtful: boolean
}

/**
 * Returns the schema of an account. If its mobile may be somebody else's, the e-mail code replaces the SMS code in the
 * first factor.
 */
export function schemaOfAccount<S extends SchemaChoice>(
  schemas: readonly S[],
  account: Omit<SchemaAccount, 'needsEmailProof'>,
): S {
  const schema = schemaFor(schemas, account.authenticationSchemaId, account.roleIds)
  if (!account.isMobileDoubtful) return schema
  const firstFactor = schema.firstFactor.map((flow) => (flow === 'sms_code' ? 'email_code' : flow))
  return { ...schema, firstFactor: [...new Set(firstFactor)] }
}

/**
 * Returns the factors that an account needs besides its schema: an e-mail code, if its preparer held fewer methods
 * (docs/rules/access.md#prepared-accounts).
 */
export const extraFactors = ({ needsEmailProof }: Pick<SchemaAccount, 'needsEmailProof'>) =>
  needsEmailProof ? [{ firstFactor: ['email_code'], secondFactor: [] }] : []

/**
 * Returns the schema that a sign-in simulates for an unknown identifier or a disabled account: always the same one for
 * an identifier, as frequent as among real accounts. `hash` is a keyed hash, so that nobody can compute the result.
 */
export function simulatedSchema<S extends SchemaChoice & { usersCount: number }>(
  schemas: readonly S[],
  hash: string,
): S {
  const weighted = schemas.filter(({ usersCount }) => usersCount > 0)
  const total = weighted.reduce((sum, { usersCount }) => sum + usersCount, 0)
  // a share of the total, not a remainder: if the number of users changes, few identifiers change their schema
  let point = (Buffer.from(hash, 'base64url').readUIntBE(0, 6) / 2 ** 48) * total
  for (const schema of weighted) {
    if (point < schema.usersCount) return schema
    point -= schema.usersCount
  }
  return schemaFor(schemas, null, [])
}
