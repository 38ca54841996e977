/** What is exchanged with other systems. Stored, so names never change. */
export const integrationKeys = [
  'contractors.import',
  'personnel-actions.import',
  'users.export',
  'roles.export',
] as const
export type IntegrationKey = (typeof integrationKeys)[number]

/** The area whose data each exchanges: `write` for what is written here, `read` for what leaves. */
export const areaOf = {
  'contractors.import': 'contractors',
  'personnel-actions.import': 'users',
  'users.export': 'users',
  'roles.export': 'roles',
} as const satisfies Record<IntegrationKey, string>

export const isImport = (key: IntegrationKey) => key.endsWith('.import')
