import { areaOf, declaredAs, type Entity, type Referred } from '@/lib/base/audit/entity'
import { callerId, changerOf, holdsMethod, requireMethod, requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { EntityName } from '@/lib/base/contracts/entity-names.generated'
import { cardPath } from '@/lib/base/navigation/screens'
import { historyName } from '@/lib/fields/values/definition'
import { ownFields } from '@/lib/my-account/personal/fields'
import type * as calls from './contract'
import {
  type Act,
  type ActOn,
  type Change,
  type Changer,
  type HistoryInput,
  type HistoryRow,
  historyTypes,
  type KnownField,
  type Names,
  type WholeHistoryInput,
} from './contract'
import { diffOf, idsIn, withoutSecrets } from './diff'
import { entities } from './entities.generated'
import { type Block, blocksIn, changeByDefinition, codeOf, definedFields, fieldFamily, type Reader } from './fields'
import { selectNames } from './names'
import { fieldsVisibleToOwner, type VisibleFields } from './own'
import {
  type Scope,
  selectActs,
  selectAllActs,
  selectAnyChangers,
  selectChangers,
  selectDatesOf,
  selectMatches,
  selectRowsAbout,
} from './queries'
import { selectAllRows } from './rows'

/** Every audited entity, by name. */
export const declared = new Map<string, Entity>(entities.map((entity) => [entity.name, entity]))

type Row = Awaited<ReturnType<typeof selectActs>>['rows'][number]
type Part = Row['fields'][number]

const sidesOf = ({ previous, current, previousLength, currentLength }: Part) =>
  [
    { value: previous, length: previousLength },
    { value: current, length: currentLength },
  ] as const

/** Returns the declaration of a recorded field, and the key under which it is declared. */
export const fieldOf = (entity: Entity | undefined, name: string) => {
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

/** Returns who acted, with a name only if the caller may learn it. */
export function changerIn(
  ctx: Ctx,
  { changerId, person, login, application }: Pick<Row, 'changerId' | 'person' | 'login' | 'application'>,
): Changer {
  if (!changerId) return { kind: 'platform' }
  if (application) return { kind: 'application', name: application }
  const { ofPeople, logins, self } = namesFor(ctx)
  const isSelf = changerId === self
  const name = (isSelf || ofPeople ? person : null) ?? (isSelf || logins ? login : null)
  return name ? { kind: 'person', name } : { kind: 'unknown', name: changerId }
}

/** Returns the names of the objects that the changes of acts refer to, and of the objects of `more`. */
export async function namesIn(
  ctx: Ctx,
  rows: Pick<Row, 'entity' | 'fields'>[],
  more: [Referred, string][] = [],
): Promise<Names> {
  const idsByKind = new Map<Referred, Set<string>>()
  const addId = (referred: Referred, id: string) =>
    idsByKind.set(referred, (idsByKind.get(referred) ?? new Set()).add(id))
  for (const { entity, fields } of rows)
    for (const part of fields)
      for (const side of sidesOf(part))
        for (const [referred, id] of idsIn(fieldOf(declared.get(entity), part.field).field, side)) addId(referred, id)
  for (const [referred, id] of more) addId(referred, id)
  // a program learns names of people only with `users.read`
  if (!ctx.user && !holdsMethod(ctx, 'users.read')) idsByKind.delete('users')
  const rowsByKind = await selectNames(idsByKind, ctx.locale)
  return Object.fromEntries(
    [...rowsByKind.values()].flat().flatMap(({ id, name }) => (name ? [[id, name] as const] : [])),
  )
}

/**
 * Returns the declaration of an entity, and the method that its history needs besides `history.read`, if there is one.
 */
function declarationOf(name: EntityName) {
  const entity = declared.get(name)
  const area = entity && areaOf(entity)
  return { entity, method: area && (`${area}.read` as const) }
}

/**
 * Returns which names the caller learns: names with `users.read` or as a person, logins only with `users.read`
 * (docs/rules/rest.md#conflicts).
 */
const namesFor = (ctx: Ctx) => {
  const logins = holdsMethod(ctx, 'users.read')
  return { ofPeople: logins || ctx.user !== null, logins, self: changerOf(ctx) }
}

/**
 * Returns people and applications that acted, to choose from. Needs history.read. For one object: none without the area
 * of its entity, and an id in place of a name that the caller may not learn. For all objects: only those with a name.
 */
export async function searchChangers(ctx: Ctx, { query }: ServiceInput<typeof calls.searchChangers>) {
  requireMethod(ctx, 'history.read')
  const { entity, id, searchValue: text } = query
  if (!entity || !id) return { changers: await selectAnyChangers({ text }, namesFor(ctx)) }
  const { method } = declarationOf(entity)
  if (method && !holdsMethod(ctx, method)) return { changers: [] }
  return { changers: await selectChangers({ entity, id }, { text }, namesFor(ctx)) }
}

type Defined = Awaited<ReturnType<typeof definedFields>>

/**
 * The fields of an entity by which its history can be filtered, with defined ones; a field family isn't one of them.
 */
const fieldsOf = (entity: Entity | undefined, defined: Defined = new Map()): KnownField[] => [
  ...Object.entries(entity?.fields ?? {}).flatMap(([name, { label }]) => (name.endsWith('*') ? [] : [{ name, label }])),
  ...[...defined].flatMap(([name, view]) =>
    view && !view.base ? [{ name, label: 'history.users.field', title: view.title }] : [],
  ),
]

const actOf = (ctx: Ctx, row: Row, defined: Defined): Act => ({
  id: String(row.id),
  type: row.type,
  date: row.date.toISOString(),
  ip: row.ip,
  who: changerIn(ctx, row),
  changes: row.fields
    .flatMap((part) => changeByDefinition(changeOf(declared.get(row.entity), part), defined))
    .map((change) => ({ ...change, field: codeOf(change.field) })),
})

/** Returns one page of the acts on one object, without checking access; with `seen`, only of these changes. */
async function pageOfActs(
  ctx: Ctx,
  {
    entity: name,
    id,
    query,
    seen: visible,
  }: { entity: EntityName; id: string; query: HistoryInput; seen?: VisibleFields },
  reader: Reader,
) {
  const { entity } = declarationOf(name)
  const { changer } = query.filter
  const changerId = changer === 'platform' ? undefined : changer
  const [{ rows, meta }, changers] = await Promise.all([
    selectActs({ entity: name, id }, query, {
      pageSize: ctx.user?.pagination ?? null,
      caller: callerId(ctx),
      timeZone: ctx.timeZone,
      seen: visible,
    }),
    changerId ? selectChangers({ entity: name, id }, { only: changerId, seen: visible }, namesFor(ctx)) : [],
  ])
  const defined = await definedFields(ctx, name, reader)
  const acts = rows.map((row) => actOf(ctx, row, defined))
  const fields = fieldsOf(entity, defined).filter(
    ({ name: field, title }) => !visible || visible.names.includes(title === undefined ? field : historyName(field)),
  )
  return { rows, acts, names: await namesIn(ctx, rows), fields, changers, meta }
}

/**
 * Returns one page of the acts on one object, the newest first, with the changes, the names of the objects that values
 * refer to, and the chosen changer. Needs history.read and the area of the entity. Throws 400 for a cursor of another
 * object (docs/rules/administration-screens.md#history).
 */
export async function entityHistory(ctx: Ctx, object: { entity: EntityName; id: string; query: HistoryInput }) {
  requireMethod(ctx, 'history.read')
  const { method } = declarationOf(object.entity)
  if (method) requireMethod(ctx, method)
  const { rows: _, ...history } = await pageOfActs(ctx, object, 'admin')
  return history
}

/**
 * Returns one page of the acts on the account of the signed-in person: changes of the fields that their profile shows.
 * The IP addresses of other changers are left out (docs/rules/profile.md#own-history). Throws 401, and 400 for a cursor
 * of another person.
 */
export async function ownHistory(ctx: Ctx, query: HistoryInput) {
  requireUser(ctx)
  const { id } = ctx.user
  const visible = fieldsVisibleToOwner(await ownFields())
  const { rows, acts, ...history } = await pageOfActs(ctx, { entity: 'users', id, query, seen: visible }, 'profile')
  const ownActs = new Set(rows.filter(({ changerId }) => changerId === id).map((row) => String(row.id)))
  return { ...history, acts: acts.map((act) => (ownActs.has(act.id) ? act : { ...act, ip: null })) }
}

/** The kind of name of each entity's objects. */
export const namedBy: ReadonlyMap<EntityName, Referred> = new Map([
  ['applications', 'applications'],
  ['authentication-schemas', 'authenticationSchemas'],
  ['banners', 'banners'],
  ['contractors', 'contractors'],
  ['device-types', 'deviceTypes'],
  ['documents', 'documents'],
  ['domains', 'domains'],
  ['dynamic-fields', 'dynamicFields'],
  ['invitations', 'invitations'],
  ['locales', 'locales'],
  ['network-aliases', 'networkAliases'],
  ['oidcClients', 'oidcClients'],
  ['organizations', 'organizations'],
  ['roles', 'roles'],
  ['users', 'users'],
])
/** Entities whose objects have a card. */
const cards = {
  applications: 'PlatformApplication',
  domains: 'PlatformDomain',
  contractors: 'PlatformContractor',
  organizations: 'PlatformOrganization',
  roles: 'PlatformRole',
  users: 'PlatformUser',
} as const
const entitiesWithFields = ['users', 'contractors'] as const

/** Requires history.read. Returns the entities whose history the caller sees: those of the areas that they may read. */
function visibleEntities(ctx: Ctx): EntityName[] {
  requireMethod(ctx, 'history.read')
  return entities.flatMap(({ name }) => {
    const { method } = declarationOf(name)
    return !method || holdsMethod(ctx, method) ? [name] : []
  })
}

/** Requires history.read. Returns what the caller sees, and the visible matches of a search. */
export async function readingOf(ctx: Ctx, { filter: { search, param } }: Pick<WholeHistoryInput, 'filter'>) {
  const visible = visibleEntities(ctx)
  const defined = await Promise.all(
    entitiesWithFields
      .filter((entity) => visible.includes(entity))
      .map(async (entity) => [entity, await definedFields(ctx, entity, 'admin')] as const),
  )
  const scope: Scope = {
    entities: visible,
    hidden: defined.flatMap(([entity, views]) => {
      const fields = [...views].flatMap(([code, view]) => (view ? [] : [fieldFamily.replace('*', code)]))
      return fields.length > 0 ? [{ entity, fields }] : []
    }),
  }
  const { ofPeople: people, logins } = namesFor(ctx)
  const kinds = new Map([...namedBy].filter(([entity]) => visible.includes(entity)))
  const matches = search ? await selectMatches(search, kinds, { people, logins }) : null
  return {
    defined: new Map<string, Defined>(defined),
    reading: {
      pageSize: ctx.user?.pagination ?? null,
      caller: callerId(ctx),
      timeZone: ctx.timeZone,
      scope,
      blocks: await blocksIn(ctx, visible),
      found: matches && { ...matches, rows: await selectRowsAbout(matches, scope) },
      changed: param === undefined ? null : await selectDatesOf(param),
    },
  }
}

/** Returns a row for programs: without secrets, and with the changer's name if the caller may learn it. */
export function rowOf(
  ctx: Ctx,
  row: Awaited<ReturnType<typeof selectAllRows>>['rows'][number],
  blocks: readonly Block[],
): HistoryRow {
  const block = blocks.find(({ entity, fields }) => entity === row.entity && fields.includes(row.field ?? ''))
  const { field } = fieldOf(declared.get(row.entity), row.field ?? '')
  const actor = changerIn(ctx, row)
  return {
    id: String(row.id),
    date: row.date.toISOString(),
    type: row.type,
    entity: row.entity as EntityName,
    entityId: row.entityId,
    subtype: row.subtype ?? block?.code ?? null,
    field: row.field && codeOf(row.field),
    previous: withoutSecrets({ value: row.previous, length: row.previousLength }, field),
    current: withoutSecrets({ value: row.current, length: row.currentLength }, field),
    cut: row.previousLength !== null || row.currentLength !== null,
    ip: row.ip,
    changer: row.changerId && actor.kind !== 'platform' ? { id: row.changerId, name: actor.name } : null,
    requestId: row.requestId,
  }
}

/**
 * Returns one page of the whole history by fields, the newest first: of the entities whose areas the caller may read,
 * and without hidden fields. Needs history.read. Throws 400 for a cursor of another list
 * (docs/rules/administration-screens.md#whole-history).
 */
export async function listHistory(ctx: Ctx, { query }: ServiceInput<typeof calls.listHistory>) {
  const { reading } = await readingOf(ctx, query)
  const { rows, meta } = await selectAllRows(query, reading)
  return { data: rows.map((row) => rowOf(ctx, row, reading.blocks)), meta }
}

/** Returns the filters of the whole history for the caller. Needs history.read. */
export async function listHistoryTypes(ctx: Ctx) {
  const visible = visibleEntities(ctx)
  const blocks = await blocksIn(ctx, visible)
  return {
    types: [...historyTypes],
    entities: await Promise.all(
      entities
        .filter(({ name }) => visible.includes(name))
        .map(async (entity) => ({
          entity: entity.name,
          fields: [
            ...new Set(fieldsOf(entity, await definedFields(ctx, entity.name, 'admin')).map(({ name }) => name)),
          ],
          subtypes: blocks.filter((block) => block.entity === entity.name).map(({ code, title }) => ({ code, title })),
        })),
    ),
  }
}

/**
 * Returns one page of the acts on all objects that the caller sees, the newest first, with the names of the objects and
 * of what values refer to. Needs history.read. Throws 400 for a cursor of another list.
 */
export async function wholeHistory(ctx: Ctx, query: WholeHistoryInput) {
  const { reading, defined } = await readingOf(ctx, query)
  const { rows, meta } = await selectAllActs(query, reading)
  const objects = rows.flatMap(({ entity, entityId }): [Referred, string][] => {
    const referred = namedBy.get(entity as EntityName)
    return referred ? [[referred, entityId]] : []
  })
  const names = await namesIn(ctx, rows, objects)
  const noFields = new Map()
  const acts = rows.map((row): ActOn => {
    const entity = row.entity as EntityName
    const name = (namedBy.has(entity) && names[row.entityId]) || null
    const card = entity in cards && name ? cards[entity as keyof typeof cards] : null
    return {
      ...actOf(ctx, row, defined.get(entity) ?? noFields),
      object: {
        entity,
        id: row.entityId,
        name,
        path: card && cardPath(card, row.entityId),
        own: row.changerId === row.entityId,
      },
    }
  })
  const filtered = reading.scope.entities.filter((entity) => query.filter.entity?.includes(entity) ?? true)
  return {
    acts,
    names,
    seen: reading.scope.entities,
    fields: filtered.flatMap((entity) => fieldsOf(declared.get(entity), defined.get(entity))),
    blocks: reading.blocks.filter(({ entity }) => filtered.includes(entity)),
    chosen: await changerNamed(ctx, query.filter.changer),
    meta,
  }
}

/** Returns the changer of the filter: by name if the caller may learn it, else by id; null for the platform. */
async function changerNamed(ctx: Ctx, changer: string | undefined) {
  if (!changer || changer === 'platform') return null
  const [changerRow] = await selectAnyChangers({ only: changer }, namesFor(ctx))
  return changerRow ?? { id: changer, name: changer }
}
