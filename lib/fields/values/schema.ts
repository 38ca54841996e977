import { z } from 'zod'
import type { FieldError } from '@/lib/base/runtime/errors'
import { manyLines, oneLine, tidiable, trimmed } from '@/lib/base/text/characters'
import { loginOf, toEmail } from '@/lib/base/text/email'
import { mobileFrom, phoneFrom } from '@/lib/base/text/mobile'
import { findsPattern } from '@/lib/base/text/safe-pattern'
import { tidyName } from '../names'
import { type FieldRules, type FieldValue, isChosen, isFilled } from './definition'

/** What a check needs to know besides the definition. */
type About = {
  now: Date
  /** The value until now: its options may be kept, also those that are offered no more. */
  stored?: unknown
  /** The account's e-mail, which may be its login. */
  email?: string | undefined
}

/** A login that a person chooses. It looks like neither an e-mail nor a number: others sign in with those. */
const chosenLogin = /^(?=.*[a-z])[a-z0-9][a-z0-9._-]{1,63}$/
export const isChosenLogin = (login: string) => chosenLogin.test(login)

/** Whether a text is an existing day. */
function isDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  // Date reads a day that doesn't exist as one of the next month
  return day !== null && !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text
}

/** Whether it is an existing day, neither before 1900 nor in the future. */
const isBirthDate = (text: string, now: Date) =>
  // in the east a day begins up to 14 hours earlier than in UTC
  isDay(text) && text >= '1900-01-01' && Date.parse(`${text}T00:00:00Z`) <= now.getTime() + 14 * 3_600_000

/** A pattern that RE2 doesn't take, which nobody can have saved here, lets no text pass. */
function fits(pattern: string, text: string): boolean {
  try {
    return findsPattern(pattern, text)
  } catch {
    return false
  }
}

const plainText = z.string({ error: 'errorFormat' }).overwrite(trimmed)
const longest = { input: 255, textarea: 2_000 }

/** A typed text with the checks that the administrators set. */
const checkedText = ({ pattern, minLength, maxLength, latin }: FieldRules, most: number, chars: RegExp) =>
  plainText
    // what is too long costs no pattern
    .max(Math.min(most, maxLength ?? most), { error: 'errorTooLong', abort: true })
    .regex(chars, 'errorChars')
    .refine((text) => minLength === null || [...text].length >= minLength, 'errorTooShort')
    .refine((text) => !latin || !/[^\P{L}A-Za-z]/u.test(text), 'errorLatinText')
    .refine((text) => pattern === null || fits(pattern, text), 'errorPattern')

function chosenSchema({ options, multiple }: FieldRules, { stored }: About): z.ZodType<FieldValue> {
  const known = new Set([...options.map(({ code }) => code), ...[stored].flat()])
  const one = z.string({ error: 'errorOption' }).refine((code) => known.has(code), 'errorOption')
  if (!multiple) return one
  return z
    .array(one, { error: 'errorOption' })
    .max(Math.max(options.length, known.size), 'errorOption')
    .refine((codes) => new Set(codes).size === codes.length, 'errorOption')
}

/** Invisible characters are refused as where people sign in. */
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

/** The rules of the columns of an account, which hold whatever administrators define. */
function baseSchema(rules: FieldRules, about: About): z.ZodType<FieldValue> | null {
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
      return plainText.refine((text) => isBirthDate(text, about.now), 'errorBirthDate')
    case 'login':
      return plainText
        .max(64, 'errorTooLong')
        .regex(oneLine, 'errorChars')
        .transform(loginOf)
        .refine((login) => login === about.email || login === about.stored || isChosenLogin(login), 'errorLogin')
    default:
      return null
  }
}

function filledSchema(rules: FieldRules, about: About): z.ZodType<FieldValue> {
  const own = rules.base ? baseSchema(rules, about) : null
  if (own) return own
  if (isChosen(rules)) return chosenSchema(rules, about)
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
      return checkedText(rules, longest.textarea, manyLines)
    case 'picture':
      // a picture comes as a file, never as a text
      return z.never({ error: 'errorReadOnly' })
    default:
      return checkedText(rules, longest.input, oneLine)
  }
}

/**
 * Returns the zod of a field's value by its definition: what it accepts is stored as it returns it, null for empty. Its
 * messages are codes of errors.
 */
const valueSchema = (rules: FieldRules, about: About): z.ZodType<FieldValue> =>
  z
    .preprocess((value) => (isFilled(value) ? value : null), filledSchema(rules, about).nullable())
    // a name of invisible characters alone is empty too
    .transform((value) => (isFilled(value) ? value : null))
    .refine((value) => !rules.required || rules.fieldType === 'toggle' || value !== null, 'errorEmpty')

/** Whether the rules of a field are the same for each value, whoever has it and whenever it is checked. */
const isLasting = (rules: FieldRules, { stored }: About) =>
  rules.base ? rules.code !== 'birthDate' && rules.code !== 'login' && !isChosen(rules) : !isChosen(rules) || !stored

/** Made once for fields that are checked in many rows. */
const lasting = new WeakMap<FieldRules, z.ZodType<FieldValue>>()

function schemaOf(rules: FieldRules, about: About): z.ZodType<FieldValue> {
  if (!isLasting(rules, about)) return valueSchema(rules, about)
  const made = lasting.get(rules) ?? valueSchema(rules, about)
  lasting.set(rules, made)
  return made
}

/** Checks a value by its definition. Returns what is stored, or the fault of the field that is called `field`. */
export function checkValue(
  rules: FieldRules,
  value: unknown,
  about: About & { field?: string },
): { value: FieldValue } | { fault: FieldError } {
  const { success, data, error } = schemaOf(rules, about).safeParse(value)
  if (success) return { value: data }
  const message = error.issues[0]?.message ?? ''
  const code = /^error[A-Z]\w*$/.test(message) ? message : 'errorFormat'
  const fault = { field: about.field ?? rules.code, code }
  return { fault: code === 'errorTooShort' ? { ...fault, params: { min: rules.minLength ?? 0 } } : fault }
}
