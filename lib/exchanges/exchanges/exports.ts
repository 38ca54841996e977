import { peopleFields } from '@/lib/fields/values/service'
import {
  countRoles,
  countUsers,
  selectContractorRolesOf,
  selectContractorsOf,
  selectMethodsOf,
  selectRolesAfter,
  selectRolesOf,
  selectUsersAfter,
} from './export-queries'

/** A row that is sent; people recognize it by `title`. */
type Outgoing = { id: string; title: string; item: Record<string, unknown> }

type Export = {
  count: () => Promise<number>
  /** Returns the rows after an id, in the order of their ids. */
  after: (id: string | null, limit: number) => Promise<Outgoing[]>
}

const without = <T extends object, K extends keyof T>(row: T, ...names: K[]): Omit<T, K> => {
  const copy = { ...row }
  for (const name of names) delete copy[name]
  return copy
}

async function usersAfter(after: string | null, limit: number): Promise<Outgoing[]> {
  const rows = await selectUsersAfter(after, limit)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const [roleRows, contractorRows, contractorRoleRows, fields] = await Promise.all([
    selectRolesOf(ids),
    selectContractorsOf(ids),
    selectContractorRolesOf(ids),
    peopleFields(),
  ])
  const sentCodes = new Set(fields.flatMap(({ code, fieldType }) => (fieldType === 'picture' ? [] : [code])))
  return rows.map(({ values, createdAt, updatedAt, ...row }) => ({
    id: row.id,
    title: row.fio || row.login,
    item: {
      ...row,
      values: Object.fromEntries(Object.entries(values).filter(([code]) => sentCodes.has(code))),
      roles: roleRows.filter(({ userId }) => userId === row.id).map((role) => without(role, 'userId')),
      contractors: contractorRows
        .filter(({ userId }) => userId === row.id)
        .map((company) => ({
          ...without(company, 'userId'),
          roles: contractorRoleRows
            .filter(({ userId, contractorId }) => userId === row.id && contractorId === company.id)
            .map((role) => without(role, 'userId', 'contractorId')),
        })),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    },
  }))
}

async function rolesAfter(after: string | null, limit: number): Promise<Outgoing[]> {
  const rows = await selectRolesAfter(after, limit)
  const ids = rows.map(({ id }) => id)
  const methods = ids.length > 0 ? await selectMethodsOf(ids) : []
  return rows.map(({ id, code, name, nameEn, comment, roleType, enabled, createdAt, updatedAt }) => ({
    id,
    title: name,
    item: {
      ...{ id, code, name, nameEn, comment, roleType, enabled },
      methods: methods.filter(({ roleId }) => roleId === id).map((method) => without(method, 'roleId')),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    },
  }))
}

/** The data that exchanges send to other systems (docs/integration.md). */
export const exports = {
  'users.export': { count: countUsers, after: usersAfter },
  'roles.export': { count: countRoles, after: rolesAfter },
} satisfies Record<string, Export>
export type ExportKey = keyof typeof exports
