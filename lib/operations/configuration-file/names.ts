import type { Rows } from './queries'

/** Orders texts by their code points, on every machine alike. */
export const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
export const sorted = (values: Iterable<string>) => [...values].sort(byText)
/**
 * Names without a code may be the same: from the second on each gets its number, in the order of what else is said of them.
 * The order of their creation would differ in another instance.
 */
function unique<R extends { id: string }>(
  rows: readonly R[],
  nameOf: (row: R) => string,
  others: (row: R) => unknown,
): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const said = new Map(rows.map((row) => [row.id, JSON.stringify([nameOf(row), others(row)])]))
  for (const row of rows.toSorted((one, other) => byText(said.get(one.id) ?? '', said.get(other.id) ?? ''))) {
    const name = nameOf(row)
    let free = name
    for (let n = 2; taken.has(free); n++) free = `${name} (${n})`
    taken.add(free)
    names.set(row.id, free)
  }
  return names
}

/** What of a domain is the same in no other instance. */
const ofInstance = new Set(['id', 'createdAt', 'updatedAt', 'logoId', 'devicesIdAttributes'])

/** Returns how ids are named in a file. */
export function namesOf(rows: Rows) {
  const codes = (of: readonly { id: string; code: string }[]) => new Map(of.map(({ id, code }) => [id, code]))
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
      (row) => [!row.base, Object.entries(row).filter(([column]) => !ofInstance.has(column))],
    ),
    applications,
    methods,
    roles: unique(
      rows.roles,
      ({ code, name }) => code ?? name,
      // a shipped one comes first
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
