import { db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { stableId } from '@/lib/base/runtime/stable-id'
import { requireAssignable } from '../rights/service'
import { roleEntity } from './entity'
import { insertMethodRole, selectMethodsByIds, selectRolesByCode, storeRoleMethods } from './queries'

const prefix = 'method:'

/** Returns the code of the role that holds this method of the platform and nothing else (ADR 100). */
const methodRoleCode = (method: string) => prefix + method

/** Returns the code of the method whose role this is; null for any other role. */
export const methodOfRole = (code: string | null) => (code?.startsWith(prefix) ? code.slice(prefix.length) : null)

/** Creates the missing roles of these methods of the platform. It checks no access. */
export async function makeMethodRoles(tx: Transaction, ctx: Ctx, methodIds: readonly string[]): Promise<void> {
  for (const method of await selectMethodsByIds(tx, [...methodIds])) {
    const code = methodRoleCode(method.code)
    const values = {
      name: `Метод «${method.name}»`,
      nameEn: `Method “${method.nameEn ?? method.name}”`,
      comment: '',
      commentEn: '',
      roleType: 'systemic' as const,
    }
    const id = stableId('role', code)
    if (!(await insertMethodRole(tx, id, { ...values, code }, ctx.now()))) continue
    await storeRoleMethods(tx, id, { add: [method.id], remove: [] })
    await audit(tx, ctx, roleEntity, id, null, { code, ...values, enabled: true, methods: [method.code] })
  }
}

/** Returns the ids of the roles of these methods, by the ids of the methods. */
export async function rolesOfMethods(methodIds: readonly string[]): Promise<Map<string, string>> {
  const methods = methodIds.length > 0 ? await selectMethodsByIds(db(), [...methodIds]) : []
  const roles = await selectRolesByCode(methods.map(({ code }) => methodRoleCode(code)))
  return new Map(
    methods.flatMap(({ id, code }) => {
      const role = roles.find((row) => row.code === methodRoleCode(code))
      return role ? [[id, role.id]] : []
    }),
  )
}

/** Creates the role of a method and returns its id. Needs roles.write and the method. Throws 403 forbiddenRole. */
export async function createMethodRole(ctx: Ctx, method: { id: string; code: string }): Promise<string> {
  requireMethod(ctx, 'roles.write')
  await db().transaction(async (tx) => {
    await requireAssignable(tx, ctx, { methods: [method.id] }, 'forbiddenRole')
    await makeMethodRoles(tx, ctx, [method.id])
  })
  return stableId('role', methodRoleCode(method.code))
}
