import { userEntity } from '@/lib/accounts/users/entity'
import { declaredAs } from '@/lib/base/audit/entity'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { type Definition, historyName, isBase } from '@/lib/fields/values/definition'
import { ownFields } from './fields'
import { selectRecentChanges } from './queries'

/** The audited fields that people see besides the fields that their profile shows. */
const alwaysVisible = ['password', 'roles', 'organizationRoles', 'contractors', 'contractorRoles', 'agreement:*']

/**
 * A change of the own account: its time, its changer, and the changed fields. `label` is the key of a text, `title` a
 * text.
 */
export type RecentChange = {
  at: string
  by: string | null
  you: boolean
  what: ({ label: string } | { title: string })[]
}

/** Returns the name of a changed field; null for one that the profile doesn't show. */
function nameOf(field: string, fields: readonly Definition[], locale: string) {
  const visibleField = fields.find(
    (definition) => (isBase(definition) ? definition.code : historyName(definition.code)) === field,
  )
  if (visibleField) return { title: localName(visibleField, locale) }
  const key = declaredAs(userEntity, field)
  return key && alwaysVisible.includes(key) ? { label: userEntity.fields[key as 'roles'].label } : null
}

/** Returns the last changes of the own account, the newest first, without their values. Throws 401. */
export async function recentChanges(ctx: Ctx, limit = 3): Promise<RecentChange[]> {
  requireUser(ctx)
  const { id } = ctx.user
  const [rows, fields] = await Promise.all([selectRecentChanges(id), ownFields()])
  const acts = Map.groupBy(rows, ({ date, requestId, changerId }) => `${date.getTime()} ${requestId} ${changerId}`)
  return [...acts.values()]
    .flatMap((act): RecentChange[] => {
      const [firstRow] = act
      const fieldNames = act.flatMap(({ field }) => (field ? (nameOf(field, fields, ctx.locale) ?? []) : []))
      const kinds = fieldNames.filter(
        (left, index) => fieldNames.findIndex((right) => textOf(right) === textOf(left)) === index,
      )
      if (!firstRow || kinds.length === 0) return []
      const you = firstRow.changerId === id
      return [{ at: firstRow.date.toISOString(), by: firstRow.person ?? firstRow.application, you, what: kinds }]
    })
    .slice(0, limit)
}

const textOf = (what: RecentChange['what'][number]) => ('label' in what ? what.label : what.title)
