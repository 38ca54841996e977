import { z } from 'zod'
import { line } from '@/lib/base/contracts/contract'

/** The requisites of an organization or a contractor; each has a column of the same name. */
export const requisiteNames = ['inn', 'kpp', 'ogrn', 'okpo', 'registrationNumber', 'taxNumber', 'externalCode'] as const
export type RequisiteName = (typeof requisiteNames)[number]
/** Requisites as forms and answers have them: empty where the column is null. */
export type Requisites = Record<RequisiteName, string>

const number = (pattern: RegExp, code: string) =>
  line(32)
    .overwrite((typed) => typed.replace(/\s/g, '').toUpperCase())
    .regex(pattern, code)
    .default('')

/**
 * Requisites in the body of a write. Each may be empty; blanks inside a number are dropped, and small letters become
 * capitals.
 */
export const requisiteInputs = {
  inn: number(/^(\d{10}|\d{12})?$/, 'errorInn'),
  /** Two of its nine characters may be capital letters. */
  kpp: number(/^(\d{4}[\dA-Z]{2}\d{3})?$/, 'errorKpp'),
  ogrn: number(/^(\d{13}|\d{15})?$/, 'errorOgrn'),
  okpo: number(/^(\d{8}|\d{10})?$/, 'errorOkpo'),
  registrationNumber: line(64).default(''),
  taxNumber: line(64).default(''),
  externalCode: line(64).default(''),
} satisfies Record<RequisiteName, z.ZodType<string>>

/** The codes that these inputs answer, for `errors` of a contract. */
export const requisiteErrors = { errorInn: 400, errorKpp: 400, errorOgrn: 400, errorOkpo: 400 } as const

/** Requisites in an answer. */
export const requisiteOutputs = {
  inn: z.string(),
  kpp: z.string(),
  ogrn: z.string(),
  okpo: z.string(),
  registrationNumber: z.string(),
  taxNumber: z.string(),
  externalCode: z.string(),
} satisfies Record<RequisiteName, z.ZodType<string>>

const forEachName = <V>(value: (name: RequisiteName) => V) =>
  Object.fromEntries(requisiteNames.map((name) => [name, value(name)])) as Record<RequisiteName, V>

/** No requisites, for a form that creates something. */
export const emptyRequisites: Requisites = forEachName(() => '')

/** Returns the columns for these requisites: null for an empty one. */
export const requisiteColumns = (values: Requisites): Record<RequisiteName, string | null> =>
  forEachName((name) => values[name] || null)

/** Returns the requisites of a row as an answer has them: empty for null. */
export const requisitesOf = (row: Record<RequisiteName, string | null>): Requisites =>
  forEachName((name) => row[name] ?? '')

const weights10 = [2, 4, 10, 3, 5, 9, 4, 6, 8]
const weights11 = [7, ...weights10]
const weights12 = [3, ...weights11]

/** Returns the control digit that follows the first digits of an inn. There is one weight for each digit. */
const innDigit = (inn: string, weights: number[]) =>
  String((weights.reduce((sum, weight, index) => sum + weight * Number(inn[index]), 0) % 11) % 10)

/** Returns whether the control digits of an inn are right; false for any other length than 10 or 12 digits. */
export function hasInnControl(inn: string): boolean {
  if (/^\d{10}$/.test(inn)) return inn[9] === innDigit(inn, weights10)
  return /^\d{12}$/.test(inn) && inn[10] === innDigit(inn, weights11) && inn[11] === innDigit(inn, weights12)
}

/** Returns whether the control digit of an ogrn is right; false for any other length than 13 or 15 digits. */
export function hasOgrnControl(ogrn: string): boolean {
  if (!/^(\d{13}|\d{15})$/.test(ogrn)) return false
  const remainder = Number(ogrn.slice(0, -1)) % (ogrn.length - 2)
  return ogrn.at(-1) === String(remainder % 10)
}

export type RequisiteWarning = 'warningInn' | 'warningOgrn'

/**
 * Returns a warning for each field with a wrong control digit: of an inn or an ogrn that is complete. It may be saved
 * nevertheless, because registers have such numbers. There is no warning for a number that is empty or has a wrong
 * length.
 */
export function requisiteWarnings({
  inn = '',
  ogrn = '',
}: Partial<Requisites>): Partial<Record<RequisiteName, RequisiteWarning>> {
  const validOrEmpty = (name: 'inn' | 'ogrn', typed: string) => {
    const { success, data } = requisiteInputs[name].safeParse(typed)
    return success ? data : ''
  }
  const [validInn, validOgrn] = [validOrEmpty('inn', inn), validOrEmpty('ogrn', ogrn)]
  return {
    ...(validInn && !hasInnControl(validInn) ? { inn: 'warningInn' as const } : {}),
    ...(validOgrn && !hasOgrnControl(validOgrn) ? { ogrn: 'warningOgrn' as const } : {}),
  }
}
