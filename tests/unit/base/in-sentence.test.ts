import { expect, test } from 'vitest'
import { inSentence } from '@/lib/base/i18n/in-sentence'

test.each([
  ['Заполните поле', 'заполните поле'],
  ['У вас нет прав', 'у вас нет прав'],
  ['E-mail', 'e-mail'],
  ['IP-адрес', 'IP-адрес'],
  ['ИНН другой', 'ИНН другой'],
  ['H2', 'H2'],
  ['уже в предложении', 'уже в предложении'],
  ['', ''],
])('“%s” is “%s” inside a sentence', (text, inside) => {
  expect(inSentence(text, 'ru')).toBe(inside)
  expect(inSentence(inside, 'ru')).toBe(inside)
})
