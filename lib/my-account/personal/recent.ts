import { userEntity } from '@/lib/accounts/users/entity'
import { declaredAs } from '@/lib/base/audit/entity'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { type Definition, historyName, isBase } from '@/lib/fields/values/definition'
import { ownFields } from './fields'
import { selectRecentChanges } from './queries'

/** What people learn of changes besides those of the fields that their profile shows. */
const alwaysTold = ['password', 'roles', 'organizationRoles', 'contractors', 'contractorRoles', 'agreement:*']

/** A change of the own account: when, by whom, and what. `label` is the key of a text, `title` a text. */
export type RecentChange = {
  at: string
  by: string | null
  you: boolean
  what: ({ label: string } | { title: string })[]
}

/** Returns how a changed field is called; nothing for one that the profile doesn't show. */
function nameOf(field: string, fields: readonly Definition[], locale: string) {
  const shown = fields.find((one) => (isBase(one) ? one.code : historyName(one.code)) === field)
  if (shown) return { title: localName(shown, locale) }
  const key = declaredAs(userEntity, field)
  return key && alwaysTold.includes(key) ? { label: userEntity.fields[key as 'roles'].label } : null
}

/** Returns the last changes of the own account, the newest first, without their values. Throws 401. */
export async function recentChanges(ctx: Ctx, atMost = 3): Promise<RecentChange[]> {
  requireUser(ctx)
  const { id } = ctx.user
  const [rows, fields] = await Promise.all([selectRecentChanges(id), ownFields()])
  const acts = Map.groupBy(rows, ({ date, requestId, changerId }) => `${date.getTime()} ${requestId} ${changerId}`)
  return [...acts.values()]
    .flatMap((act): RecentChange[] => {
      const [first] = act
      const what = act.flatMap(({ field }) => (field ? (nameOf(field, fields, ctx.locale) ?? []) : []))
      const kinds = what.filter((one, at) => what.findIndex((other) => textOf(other) === textOf(one)) === at)
      if (!first || kinds.length === 0) return []
      const you = first.changerId === id
      return [{ at: first.date.toISOString(), by: first.person ?? first.application, you, what: kinds }]
    })
    .slice(0, atMost)
}

const textOf = (what: RecentChange['what'][number]) => ('label' in what ? what.label : what.title)
