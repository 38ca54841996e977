import { callerId, changerOf, holdsMethod, requireMethod, requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { areaOf, declaredAs, type Entity, type EntityName, type Referred } from '@/lib/kernel/record/entity'
import type { Act, Change, Changer, HistoryInput, KnownField, Names } from './contract'
import { diffOf, idsIn } from './diff'
import { entities } from './entities.generated'
import { definedFields, inDefinition } from './fields'
import { selectActs, selectNames } from './queries'

const declared = new Map<string, Entity>(entities.map((entity) => [entity.name, entity]))

type Row = Awaited<ReturnType<typeof selectActs>>['rows'][number]
type Part = Row['fields'][number]

const sidesOf = ({ previous, current, previousLength, currentLength }: Part) =>
  [
    { value: previous, length: previousLength },
    { value: current, length: currentLength },
  ] as const

const fieldOf = (entity: Entity | undefined, name: string) => {
  const key = entity && declaredAs(entity, name)
  return { key, field: key === undefined ? undefined : entity?.fields[key] }
}

function changeOf(entity: Entity | undefined, part: Part): Change {
  const { key, field } = fieldOf(entity, part.field)
  const member = key?.endsWith('*') ? part.field.slice(key.length - 1) : undefined
  return {
    field: part.field,
    label: field?.label ?? null,
    ...(member ? { member } : {}),
    diff: diffOf(field, ...sidesOf(part)),
  }
}

/** Names are for colleagues, logins for whoever may read users (docs/rules/rest.md#conflicts). */
function changerIn(ctx: Ctx, { changerId, person, login, application }: Row): Changer {
  if (!changerId) return { kind: 'platform' }
  if (application) return { kind: 'application', name: application }
  const all = changerId === changerOf(ctx) || holdsMethod(ctx, 'users.read')
  const name = (all || ctx.user ? person : null) ?? (all ? login : null)
  return name ? { kind: 'person', name } : { kind: 'unknown', name: changerId }
}

async function namesIn(ctx: Ctx, entity: Entity | undefined, rows: Row[]): Promise<Names> {
  const wanted = new Map<Referred, Set<string>>()
  for (const part of rows.flatMap(({ fields }) => fields))
    for (const side of sidesOf(part))
      for (const [referred, id] of idsIn(fieldOf(entity, part.field).field, side))
        wanted.set(referred, (wanted.get(referred) ?? new Set()).add(id))
  // a program learns names of people only with the right to read them
  if (!ctx.user && !holdsMethod(ctx, 'users.read')) wanted.delete('users')
  const found = await selectNames(wanted, ctx.locale)
  return Object.fromEntries([...found.values()].flat().flatMap(({ id, name }) => (name ? [[id, name] as const] : [])))
}

/** Returns one page of the acts on one object, whoever may see them. */
async function pageOfActs(
  ctx: Ctx,
  { entity: name, id, query }: { entity: EntityName; id: string; query: HistoryInput },
) {
  const entity = declared.get(name)
  const { rows, meta } = await selectActs({ entity: name, id }, query, {
    pageSize: ctx.user?.pagination ?? null,
    caller: callerId(ctx),
  })
  const defined = await definedFields(ctx, name)
  const acts = rows.map(
    (row): Act => ({
      id: String(row.id),
      type: row.type,
      date: row.date.toISOString(),
      ip: row.ip,
      who: changerIn(ctx, row),
      changes: row.fields.map((part) => inDefinition(changeOf(entity, part), defined)),
    }),
  )
  const fields = Object.entries(entity?.fields ?? {}).flatMap(([field, { label }]): KnownField[] =>
    // a family has no name of its own
    field.endsWith('*') ? [] : [{ name: field, label }],
  )
  return { rows, acts, names: await namesIn(ctx, entity, rows), fields, meta }
}

/**
 * Returns one page of the acts on one object, the newest first, with what each changed, and the names of what the values
 * refer to. Needs history.read and the area of the entity. Throws 400 for a cursor of another object
 * (docs/rules/administration-screens.md#history).
 */
export async function entityHistory(ctx: Ctx, object: { entity: EntityName; id: string; query: HistoryInput }) {
  requireMethod(ctx, 'history.read')
  const entity = declared.get(object.entity)
  const area = entity && areaOf(entity)
  if (area) requireMethod(ctx, `${area}.read`)
  const { rows: _, ...history } = await pageOfActs(ctx, object)
  return history
}

/**
 * Returns one page of the acts on the account of the signed-in person. From where others acted is not theirs to know
 * (docs/rules/profile.md#own-history). Throws 401, and 400 for a cursor of another person.
 */
export async function ownHistory(ctx: Ctx, query: HistoryInput) {
  requireUser(ctx)
  const { id } = ctx.user
  const { rows, acts, ...history } = await pageOfActs(ctx, { entity: 'users', id, query })
  const own = new Set(rows.filter(({ changerId }) => changerId === id).map((row) => String(row.id)))
  return { ...history, acts: acts.map((act) => (own.has(act.id) ? act : { ...act, ip: null })) }
}
