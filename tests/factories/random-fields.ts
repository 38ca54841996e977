import { type FieldRules, type FieldType, fieldTypes } from '@/lib/fields/values/definition'
import { caseNumbers } from './random-cases'

export const random = caseNumbers(20_261_123)
export const one = <T>(list: readonly T[]): T => list[random(list.length)] as T

export const options = ['a', 'b', 'c', 'd'].map((code) => ({ code, title: `Пункт ${code}` }))
export const rulesOf = (fieldType: FieldType, more: Partial<FieldRules> = {}): FieldRules => ({
  code: 'x',
  base: false,
  fieldType,
  multiple: false,
  pattern: null,
  minLength: null,
  maxLength: null,
  latin: false,
  required: false,
  options: fieldType === 'dropbox' || fieldType === 'combobox' ? options : [],
  ...more,
})

/** A random definition with a random value that it accepts: as it is typed, and as it is stored. */
export function randomCase(): { rules: FieldRules; typed: unknown; stored: unknown } {
  const fieldType = one(fieldTypes.filter((type) => type !== 'picture'))
  const required = random(2) === 0
  const pad = one(['', ' ', '  '])
  switch (fieldType) {
    case 'toggle':
      return same(rulesOf(fieldType, { required }), random(2) === 0)
    case 'date': {
      const day = new Date(Date.UTC(1000 + random(8_999), random(12), 1 + random(28))).toISOString().slice(0, 10)
      return same(rulesOf(fieldType, { required }), day)
    }
    case 'phone': {
      const digits = String(9_000_000_000 + random(999_999_999))
      return { rules: rulesOf(fieldType, { required }), typed: `${pad}8 ${digits}`, stored: `+7${digits}` }
    }
    case 'email':
      return { ...same(rulesOf(fieldType, { required }), `p${random(10_000)}@polaris.example`) }
    case 'dropbox':
    case 'combobox': {
      const multiple = random(2) === 0
      const codes = options.map(({ code }) => code).filter(() => random(2) === 0)
      const rules = rulesOf(fieldType, { required, multiple })
      return multiple ? same(rules, codes.length > 0 ? codes : ['a']) : same(rules, one(options).code)
    }
    default: {
      const latin = random(2) === 0
      const words = latin ? ['Alfa', 'b-2', '(C)'] : ['Ёлка', 'ß', '中文', 'x']
      const text = Array.from({ length: 1 + random(5) }, () => one(words)).join(
        fieldType === 'textarea' ? one(['\n', ' ']) : ' ',
      )
      const rules = rulesOf(fieldType, {
        required,
        latin,
        minLength: one([null, 1]),
        maxLength: one([null, 200]),
        pattern: one([null, '^.']),
      })
      return { rules, typed: pad + text + pad, stored: text }
    }
  }
}
const same = (rules: FieldRules, value: unknown) => ({ rules, typed: value, stored: value })
