import { z } from 'zod'
import type { FieldError } from '@/lib/base/runtime/errors'
import { manyLines, oneLine, tidiable, trimmed } from '@/lib/base/text/characters'
import { loginOf, toEmail } from '@/lib/base/text/email'
import { mobileFrom, phoneFrom } from '@/lib/base/text/mobile'
import { findsPattern } from '@/lib/base/text/safe-pattern'
import { tidyName } from '../names'
import { type FieldRules, type FieldValue, isChosen, isFilled } from './definition'

/** What a check needs besides the definition. */
type CheckContext = {
  now: Date
  /** The stored value: its options may stay, also those that are no longer offered. */
  stored?: unknown
  /** The account's e-mail, which may be its login. */
  email?: string | undefined
}

/** The context of the value that a schema checks: a schema that is made once checks many values. */
type Current = { context: CheckContext }

/**
 * The form of a login that a person chooses. It looks like neither an e-mail nor a number, because others sign in with
 * those.
 */
const chosenLogin = /^(?=.*[a-z])[a-z0-9][a-z0-9._-]{1,63}$/
export const isChosenLogin = (login: string) => chosenLogin.test(login)

/** Returns whether a text is an existing day. */
function isDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  // Date reads a day that doesn't exist as one of the next month
  return day !== null && !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text
}

/** Returns whether a text is an existing day, neither before 1900 nor in the future. */
const isBirthDate = (text: string, now: Date) =>
  // in the east a day begins up to 14 hours earlier than in UTC
  isDay(text) && text >= '1900-01-01' && Date.parse(`${text}T00:00:00Z`) <= now.getTime() + 14 * 3_600_000

/**
 * Returns whether a text matches a pattern. No text matches a pattern that RE2 doesn't take; such a pattern can't be
 * saved here.
 */
function fits(pattern: string, text: string): boolean {
  try {
    return findsPattern(pattern, text)
  } catch {
    return false
  }
}

const plainText = z.string({ error: 'errorFormat' }).overwrite(trimmed)
const maxLengths = { input: 255, textarea: 2_000 }

/** Returns the schema of a typed text, with the checks that the administrators set. */
const textSchema = ({ pattern, minLength, maxLength, latin }: FieldRules, limit: number, chars: RegExp) =>
  plainText
    // a text that is too long isn't compared with the pattern
    .max(Math.min(limit, maxLength ?? limit), { error: 'errorTooLong', abort: true })
    .regex(chars, 'errorChars')
    .refine((text) => minLength === null || [...text].length >= minLength, 'errorTooShort')
    .refine((text) => !latin || !/[^\P{L}A-Za-z]/u.test(text), 'errorLatinText')
    .refine((text) => pattern === null || fits(pattern, text), 'errorPattern')

function chosenSchema({ options, multiple }: FieldRules, { context: { stored } }: Current): z.ZodType<FieldValue> {
  const allowed = new Set([...options.map(({ code }) => code), ...[stored].flat()])
  const option = z.string({ error: 'errorOption' }).refine((code) => allowed.has(code), 'errorOption')
  if (!multiple) return option
  return z
    .array(option, { error: 'errorOption' })
    .max(Math.max(options.length, allowed.size), 'errorOption')
    .refine((codes) => new Set(codes).size === codes.length, 'errorOption')
}

/** Returns the schema of a phone number. It refuses invisible characters, as sign-in does. */
const phoneSchema = (read: (typed: string) => string | null) =>
  plainText
    .max(64, 'errorTooLong')
    .regex(oneLine, 'errorChars')
    .transform((typed, check) => {
      const number = read(typed)
      if (number) return number
      check.addIssue({ code: 'custom', message: 'errorMobile' })
      return z.NEVER
    })
const mobile = phoneSchema(mobileFrom)
const phone = phoneSchema(phoneFrom)

/**
 * Returns the schema of a column of an account, whatever administrators define for it; null for a column without rules
 * of its own.
 */
function baseSchema(rules: FieldRules, current: Current): z.ZodType<FieldValue> | null {
  switch (rules.code) {
    case 'fio':
    case 'lastName':
    case 'firstName':
    case 'middleName':
      return z
        .string({ error: 'errorFormat' })
        .trim()
        .max(255, 'errorTooLong')
        .regex(tidiable, 'errorChars')
        .transform(tidyName)
    case 'mobile':
      return mobile
    case 'birthDate':
      return plainText.refine((text) => isBirthDate(text, current.context.now), 'errorBirthDate')
    case 'login':
      return plainText
        .max(64, 'errorTooLong')
        .regex(oneLine, 'errorChars')
        .transform(loginOf)
        .refine((login) => {
          const { email, stored } = current.context
          return login === email || login === stored || isChosenLogin(login)
        }, 'errorLogin')
    default:
      return null
  }
}

function filledSchema(rules: FieldRules, current: Current): z.ZodType<FieldValue> {
  const columnSchema = rules.base ? baseSchema(rules, current) : null
  if (columnSchema) return columnSchema
  if (isChosen(rules)) return chosenSchema(rules, current)
  switch (rules.fieldType) {
    case 'toggle':
      return z.boolean({ error: 'errorFormat' })
    case 'date':
      return plainText.refine((text) => isDay(text) && text >= '1000', 'errorDate')
    case 'phone':
      return phone
    case 'email':
      return plainText.max(254, 'errorTooLong').regex(oneLine, 'errorChars').transform(toEmail)
    case 'textarea':
      return textSchema(rules, maxLengths.textarea, manyLines)
    case 'picture':
      // a picture comes as a file, never as a text
      return z.never({ error: 'errorReadOnly' })
    default:
      return textSchema(rules, maxLengths.input, oneLine)
  }
}

/**
 * Returns the schema of a field's value by its definition. It returns what is stored, null for empty. Its messages are
 * codes of errors.
 */
const valueSchema = (rules: FieldRules, current: Current): z.ZodType<FieldValue> =>
  z
    .preprocess((value) => (isFilled(value) ? value : null), filledSchema(rules, current).nullable())
    // a name of invisible characters alone is empty too
    .transform((value) => (isFilled(value) ? value : null))
    .refine((value) => !rules.required || rules.fieldType === 'toggle' || value !== null, 'errorEmpty')

/** Returns whether the schema of a field is the same for every value, account and time. */
const isReusable = (rules: FieldRules, { stored }: CheckContext) => !isChosen(rules) || (!rules.base && !stored)

/** Schemas that are made once, for fields that are checked in many rows. */
const reusableSchemas = new WeakMap<FieldRules, { schema: z.ZodType<FieldValue>; current: Current }>()

function schemaOf(rules: FieldRules, context: CheckContext): z.ZodType<FieldValue> {
  if (!isReusable(rules, context)) return valueSchema(rules, { context })
  const current = { context }
  const entry = reusableSchemas.get(rules) ?? { schema: valueSchema(rules, current), current }
  reusableSchemas.set(rules, entry)
  entry.current.context = context
  return entry.schema
}

/** Checks a value by its definition. Returns the value to store, or a fault of the field with the name `field`. */
export function checkValue(
  rules: FieldRules,
  value: unknown,
  context: CheckContext & { field?: string },
): { value: FieldValue } | { fault: FieldError } {
  const { success, data, error } = schemaOf(rules, context).safeParse(value)
  if (success) return { value: data }
  const message = error.issues[0]?.message ?? ''
  const code = /^error[A-Z]\w*$/.test(message) ? message : 'errorFormat'
  const fault = { field: context.field ?? rules.code, code }
  return { fault: code === 'errorTooShort' ? { ...fault, params: { min: rules.minLength ?? 0 } } : fault }
}
