import { callerId, changerOf, holdsMethod, requireMethod, requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { areaOf, declaredAs, type Entity, type EntityName, type Referred } from '@/lib/kernel/record/entity'
import { ownFields } from '@/lib/profile/personal/fields'
import type * as calls from './contract'
import type { Act, Change, Changer, HistoryInput, KnownField, Names } from './contract'
import { diffOf, idsIn } from './diff'
import { entities } from './entities.generated'
import { definedFields, inDefinition, type Reader } from './fields'
import { type Seen, seenByOwner } from './own'
import { selectActs, selectChangers, selectNames } from './queries'

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

function changerIn(ctx: Ctx, { changerId, person, login, application }: Row): Changer {
  if (!changerId) return { kind: 'platform' }
  if (application) return { kind: 'application', name: application }
  const { ofPeople, logins, self } = namesFor(ctx)
  const own = changerId === self
  const name = (own || ofPeople ? person : null) ?? (own || logins ? login : null)
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

/** The declaration of an entity, and the method that shows its history beside `history.read`, if there is one. */
function declarationOf(name: EntityName) {
  const entity = declared.get(name)
  const area = entity && areaOf(entity)
  return { entity, method: area && (`${area}.read` as const) }
}

/** Names are for colleagues, logins for whoever may read users (docs/rules/rest.md#conflicts). */
const namesFor = (ctx: Ctx) => {
  const logins = holdsMethod(ctx, 'users.read')
  return { ofPeople: logins || ctx.user !== null, logins, self: changerOf(ctx) }
}

/**
 * Returns people and applications that acted on an object, to choose from; nobody without the area of the entity. Needs
 * history.read. Those whose name the caller may not learn are found by their id.
 */
export async function searchChangers(ctx: Ctx, { query }: VerbInput<typeof calls.searchChangers>) {
  requireMethod(ctx, 'history.read')
  const { method } = declarationOf(query.entity)
  if (method && !holdsMethod(ctx, method)) return { changers: [] }
  return { changers: await selectChangers(query, { text: query.searchValue }, namesFor(ctx)) }
}

/** Returns one page of the acts on one object, whoever may see them; with `seen` of those changes alone. */
async function pageOfActs(
  ctx: Ctx,
  { entity: name, id, query, seen }: { entity: EntityName; id: string; query: HistoryInput; seen?: Seen },
  reader: Reader,
) {
  const { entity } = declarationOf(name)
  const { changer } = query.filter
  const only = changer === 'platform' ? undefined : changer
  const [{ rows, meta }, changers] = await Promise.all([
    selectActs({ entity: name, id }, query, {
      pageSize: ctx.user?.pagination ?? null,
      caller: callerId(ctx),
      timeZone: ctx.timeZone,
      seen,
    }),
    only ? selectChangers({ entity: name, id }, { only, seen }, namesFor(ctx)) : [],
  ])
  const defined = await definedFields(ctx, name, reader)
  const acts = rows.map(
    (row): Act => ({
      id: String(row.id),
      type: row.type,
      date: row.date.toISOString(),
      ip: row.ip,
      who: changerIn(ctx, row),
      changes: row.fields.flatMap((part) => inDefinition(changeOf(entity, part), defined)),
    }),
  )
  const fields = Object.entries(entity?.fields ?? {}).flatMap(([field, { label }]): KnownField[] =>
    // a family has no name of its own
    field.endsWith('*') || (seen && !seen.names.includes(field)) ? [] : [{ name: field, label }],
  )
  return { rows, acts, names: await namesIn(ctx, entity, rows), fields, changers, meta }
}

/**
 * Returns one page of the acts on one object, the newest first, with what each changed, the names of what the values
 * refer to, and whom the filter names. Needs history.read and the area of the entity. Throws 400 for a cursor of another object
 * (docs/rules/administration-screens.md#history).
 */
export async function entityHistory(ctx: Ctx, object: { entity: EntityName; id: string; query: HistoryInput }) {
  requireMethod(ctx, 'history.read')
  const { method } = declarationOf(object.entity)
  if (method) requireMethod(ctx, method)
  const { rows: _, ...history } = await pageOfActs(ctx, object, 'admin')
  return history
}

/**
 * Returns one page of the acts on the account of the signed-in person: changes of what their profile shows. From where
 * others acted is not theirs to know (docs/rules/profile.md#own-history). Throws 401, and 400 for a cursor of another person.
 */
export async function ownHistory(ctx: Ctx, query: HistoryInput) {
  requireUser(ctx)
  const { id } = ctx.user
  const seen = seenByOwner(await ownFields())
  const { rows, acts, ...history } = await pageOfActs(ctx, { entity: 'users', id, query, seen }, 'profile')
  const own = new Set(rows.filter(({ changerId }) => changerId === id).map((row) => String(row.id)))
  return { ...history, acts: acts.map((act) => (own.has(act.id) ? act : { ...act, ip: null })) }
}
