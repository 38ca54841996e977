import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/kernel/ctx'
import { recordMany } from '@/lib/kernel/record/record'
import { uniqueAmong } from '@/lib/people/fields/unique'
import { blocksOf } from '@/lib/people/fields/values'
import type { UserChange } from '@/lib/people/user-administration/fields'
import { giveDefaultRole } from '@/lib/people/users/administered'
import { areFree, insertFree } from '@/lib/people/users/administered-many'
import { userEntity } from '@/lib/people/users/entity'
import { platformSettings } from '@/lib/platform/settings/service'
import { loginOf, newAccount } from './write'

type Wanted = { change: UserChange; externalId: string }

/**
 * Stores new accounts of a directory as `createIn` does one after another, in few statements, after `holdUniqueness`.
 * Returns their ids in the same order; null for those that `createIn` must do, because somebody else may have an
 * identifier, or because values have to be unique. Throws 409 for an identifier that is taken at the same moment.
 */
export async function createManyIn(
  tx: Transaction,
  ctx: Ctx,
  providerId: string,
  wanted: readonly Wanted[],
): Promise<(string | null)[]> {
  const { defaultUserRole: roleId } = await platformSettings()
  const unique = await uniqueAmong(tx, [...new Set(wanted.flatMap(({ change }) => change.fields))])
  const made = wanted.map(({ change, externalId }) => {
    const login = loginOf(change)
    if (!login || change.fields.some((field) => unique.includes(field))) return null
    return { ...newAccount(ctx, change, { login, roleId, externalId, providerId }), change }
  })
  const able = made.filter((one) => one !== null)
  const free = await areFree(
    tx,
    able.map(({ row }) => row),
    providerId,
  )
  const list = able.filter((_, at) => free[at])
  if (list.length === 0) return wanted.map(() => null)
  const ids = list.map(({ row }) => row.id)
  await insertFree(
    tx,
    list.map(({ row }) => row),
  )
  await giveDefaultRole(tx, ids, roleId)
  await recordMany(
    tx,
    ctx,
    userEntity,
    list.map(({ row, recorded, change }) => ({
      ...{ id: row.id, before: null, after: recorded, subtype: blocksOf(change.fields) },
    })),
  )
  return made.map((one) => (one && list.includes(one) ? one.row.id : null))
}
