import type { Rows } from './queries'

/** Orders texts by their code points, on every machine alike. */
export const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
export const sorted = (values: Iterable<string>) => [...values].sort(byText)
/** Names without a code may be the same: from the second on each gets its number, in the order of their creation. */
function unique<R extends { id: string }>(rows: readonly R[], nameOf: (row: R) => string): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const row of rows) {
    const name = nameOf(row)
    let free = name
    for (let n = 2; taken.has(free); n++) free = `${name} (${n})`
    taken.add(free)
    names.set(row.id, free)
  }
  return names
}

/** Returns how ids are named in a file. */
export function namesOf(rows: Rows) {
  const codes = (of: readonly { id: string; code: string }[]) => new Map(of.map(({ id, code }) => [id, code]))
  const applications = codes(rows.applications)
  const webhooks = rows.applications.flatMap(({ id }) => [
    ...unique(
      rows.webhooks.filter(({ applicationId }) => applicationId === id),
      ({ name }) => name,
    ),
  ])
  const firstHost = (id: string) => rows.domainAliases.find(({ domainId }) => domainId === id)?.host
  return {
    locales: codes(rows.locales),
    deviceTypes: codes(rows.deviceTypes),
    networkAliases: new Map(rows.networkAliases.map(({ id, name }) => [id, name])),
    documents: codes(rows.documents),
    banners: codes(rows.banners),
    domains: unique(rows.domains, ({ id, base, comment }) => (base ? '(base)' : (firstHost(id) ?? `(${comment})`))),
    applications,
    methods: new Map(
      rows.methods.map(({ id, code, applicationId }) => [
        id,
        applicationId ? `${applications.get(applicationId)}: ${code}` : code,
      ]),
    ),
    roles: unique(rows.roles, ({ code, name }) => code ?? name),
    schemas: codes(rows.schemas),
    webhooks: new Map(webhooks),
  }
}

export type Names = ReturnType<typeof namesOf>
