import { randomUUID } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import { db } from '@/db/client'
import { dynamicFieldSubtypes, dynamicFields } from '@/db/schema'
import { dropCached, invalidate } from '@/lib/base/cache/cache'

type Wishes = Partial<typeof dynamicFields.$inferInsert>

/** Options of a field, with their codes as titles. */
export const itemsOf = (...codes: string[]) =>
  codes.map((code, order) => ({ id: randomUUID(), code, value: `Пункт ${code}`, valueEn: `Item ${code}`, order }))

/** A code that no field has yet. */
export const newCode = () => `f${randomUUID().replaceAll('-', '').slice(0, 12)}`

const subtypes = { users: 'additional', contractors: 'details', 'personnel-actions': '' }

const made: string[] = []
const reread = async () => {
  await invalidate(db(), 'dynamic-fields')
  dropCached('dynamic-fields')
}

/** Switches off the fields that were defined so far. */
export async function removeFields() {
  await db()
    .update(dynamicFields)
    .set({ active: false })
    .where(inArray(dynamicFields.code, made.splice(0)))
  await reread()
}

/**
 * Defines a field that people and administrators may change, by default one line of text. Returns its code; one that
 * is there already stays.
 */
export async function defineField({ type = 'users', ...wishes }: Wishes = {}): Promise<string> {
  const code = newCode()
  const open = { profileVisible: true, profileEdit: true, adminVisible: true, adminEdit: true }
  await db()
    .insert(dynamicFields)
    .values({ type, subtype: subtypes[type], code, title: `Поле ${code}`, fieldType: 'input', ...open, ...wishes })
    .onConflictDoNothing()
  made.push(wishes.code ?? code)
  await reread()
  return wishes.code ?? code
}

/** By code: a definition, and a value that it refuses with that code. */
export const refusedValues = {
  errorTooShort: { wishes: { minLength: 3 }, value: 'ab' },
  errorLatinText: { wishes: { latin: true }, value: 'Привет' },
  errorPattern: { wishes: { pattern: '^\\d+$' }, value: 'abc' },
  errorDate: { wishes: { fieldType: 'date' }, value: '2026-02-30' },
  errorOption: { wishes: { fieldType: 'dropbox', items: itemsOf('a', 'b') }, value: 'c' },
  errorMobile: { wishes: { fieldType: 'phone' }, value: '12' },
  errorEmail: { wishes: { fieldType: 'email' }, value: 'nobody@' },
} satisfies Record<string, { wishes: Wishes; value: string }>

/** Makes a block of a type of personnel actions, into which fields can be put; it may be there already. */
export async function defineActionType(code: string) {
  const block = { type: 'personnel-actions' as const, tabId: 'personnel_actions_main', code, title: code }
  await db().insert(dynamicFieldSubtypes).values(block).onConflictDoNothing()
  await reread()
}
