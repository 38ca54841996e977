import { describe, expect, test } from 'vitest'
import { blanks, localName, nameAmong } from '@/lib/base/i18n/local-name'

describe('a name by language', () => {
  test('is in the reader’s language, else in the default one, else in any, else the code', () => {
    const all = { en: 'Office', de: 'Büro', ru: 'Офис' }
    expect(nameAmong(all, 'de')).toBe('Büro')
    expect(nameAmong(all, 'fr')).toBe('Офис')
    expect(nameAmong({ ...all, ru: ' ' }, 'fr')).toBe('Büro')
    expect(nameAmong({ en: null, ru: undefined }, 'en', 'office')).toBe('office')
    expect(nameAmong({}, 'en')).toBe('')
  })

  test('in an unknown language never comes from properties of all objects', () => {
    const stored = JSON.parse('{"__proto__": "Прототип", "ru": "Офис"}')
    expect(nameAmong(stored, '__proto__')).toBe('Прототип')
    for (const locale of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])
      expect(nameAmong({ ru: 'Офис' }, locale)).toBe('Офис')
  })

  test('is never blank while there is another', () => {
    for (const blank of ['', ...blanks, blanks]) expect(nameAmong({ en: blank, ru: 'Офис' }, 'en')).toBe('Офис')
    // exactly the characters that trim removes
    for (let code = 0; code < 0x1_0000; code++) {
      const sign = String.fromCharCode(code)
      if (blanks.includes(sign) !== (sign.trim() === '')) throw new Error(`U+${code.toString(16)} is judged otherwise`)
    }
  })

  test('comes from what has a name or a title', () => {
    expect(localName({ name: 'Касса', nameEn: 'Till' }, 'en')).toBe('Till')
    expect(localName({ name: 'Касса', nameEn: '' }, 'en')).toBe('Касса')
    expect(localName({ name: 'Касса', nameEn: 'Till' }, 'de')).toBe('Касса')
    expect(localName({ title: 'Поле' }, 'en')).toBe('Поле')
    const entry = { name: 'PlatformDeviceTypes', title: 'Типы', titleEn: 'Types' }
    expect([localName(entry, 'ru'), localName(entry, 'en')]).toEqual(['Типы', 'Types'])
    expect(localName({ title: '', titleEn: null, code: 'field' }, 'ru')).toBe('field')
  })
})
