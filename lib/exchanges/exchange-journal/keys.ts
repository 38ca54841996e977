/** The keys of exchanges with other systems. They are stored, so they never change. */
export const integrationKeys = [
  'contractors.import',
  'personnel-actions.import',
  'users.export',
  'roles.export',
] as const
export type IntegrationKey = (typeof integrationKeys)[number]

/** The area of the exchanged data: an import needs its `write` method, an export its `read` method. */
export const areaOf = {
  'contractors.import': 'contractors',
  'personnel-actions.import': 'users',
  'users.export': 'users',
  'roles.export': 'roles',
} as const satisfies Record<IntegrationKey, string>

export const isImport = (key: IntegrationKey) => key.endsWith('.import')
