import type { Rows } from './queries'

/** Orders texts by their code points, so the order is the same on every machine. */
export const compareTexts = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)
export const sorted = (values: Iterable<string>) => [...values].sort(compareTexts)
/**
 * Returns a name for each row. Rows without a code may have the same name: from the second on, each gets a number, in
 * the order of their other values. The order of creation wouldn't do, as it differs between instances.
 */
function unique<R extends { id: string }>(
  rows: readonly R[],
  nameOf: (row: R) => string,
  otherValues: (row: R) => unknown,
): Map<string, string> {
  const names = new Map<string, string>()
  const usedNames = new Set<string>()
  const sortKeys = new Map(rows.map((row) => [row.id, JSON.stringify([nameOf(row), otherValues(row)])]))
  for (const row of rows.toSorted((left, right) =>
    compareTexts(sortKeys.get(left.id) ?? '', sortKeys.get(right.id) ?? ''),
  )) {
    const name = nameOf(row)
    let uniqueName = name
    for (let n = 2; usedNames.has(uniqueName); n++) uniqueName = `${name} (${n})`
    usedNames.add(uniqueName)
    names.set(row.id, uniqueName)
  }
  return names
}

/** Columns of a domain whose values differ in every instance. */
const instanceColumns = new Set(['id', 'createdAt', 'updatedAt', 'logoId', 'devicesIdAttributes'])

/** Returns the names by which a file refers to ids. */
export function namesOf(rows: Rows) {
  const codes = (objects: readonly { id: string; code: string }[]) => new Map(objects.map(({ id, code }) => [id, code]))
  const applications = codes(rows.applications)
  const webhooks = rows.applications.flatMap(({ id }) => [
    ...unique(
      rows.webhooks.filter(({ applicationId }) => applicationId === id),
      ({ name }) => name,
      ({ url, types, enabled, disabledReason }) => [url, types, enabled || disabledReason !== null],
    ),
  ])
  const methods = new Map(
    rows.methods.map(({ id, code, applicationId }) => [
      id,
      applicationId ? `${applications.get(applicationId)}: ${code}` : code,
    ]),
  )
  const firstHost = (id: string) => rows.domainAliases.find(({ domainId }) => domainId === id)?.host
  return {
    locales: codes(rows.locales),
    deviceTypes: codes(rows.deviceTypes),
    networkAliases: new Map(rows.networkAliases.map(({ id, name }) => [id, name])),
    documents: codes(rows.documents),
    banners: codes(rows.banners),
    domains: unique(
      rows.domains,
      ({ id, base, comment }) => (base ? '(base)' : (firstHost(id) ?? `(${comment})`)),
      // the base domain comes first
      (row) => [!row.base, Object.entries(row).filter(([column]) => !instanceColumns.has(column))],
    ),
    applications,
    methods,
    roles: unique(
      rows.roles,
      ({ code, name }) => code ?? name,
      // a shipped role comes first
      ({ id, code, nameEn, comment, roleType, enabled }) => [
        ...[code === null, roleType, enabled, nameEn, comment],
        sorted(
          rows.roleMethods.filter(({ roleId }) => roleId === id).map(({ methodId }) => methods.get(methodId) ?? ''),
        ),
      ],
    ),
    schemas: codes(rows.schemas),
    webhooks: new Map(webhooks),
  }
}

export type Names = ReturnType<typeof namesOf>
