import { getCountries, getCountryCallingCode } from 'libphonenumber-js'
import { describe, expect, test } from 'vitest'
import { mobileFrom, mobileText, phoneFrom } from '@/lib/base/text/mobile'
import { splitMobile } from '@/lib/base/text/mobile-country'

const countries = getCountries().map((code) => ({ code, name: code, callingCode: `+${getCountryCallingCode(code)}` }))
/** What the form sends with the script of its page, and without. */
const typed = (text: string, home = 'RU') => {
  const { country, rest } = splitMobile(text, countries, home)
  const [mobile, alone] = [mobileFrom(rest, country), mobileFrom(text, home)]
  expect(alone).toBe(mobile)
  return { country, mobile }
}

describe('a mobile as people type it', () => {
  test.each([
    ['900 123-45-67', 'RU', '+79001234567'],
    ['8 (900) 123-45-67', 'RU', '+79001234567'],
    ['+7 900 123 45 67', 'RU', '+79001234567'],
    ['+44 7400 123456', 'GB', '+447400123456'],
    ['+375 29 491-19-11', 'BY', '+375294911911'],
    ['+1 212 555 0123', 'US', '+12125550123'],
  ])('%s is of %s: %s', (text, country, mobile) => {
    expect(typed(text)).toEqual({ country, mobile })
  })

  test('the chosen country is kept among those that share its code', () => {
    expect(typed('+7 701 234 56 78', 'KZ')).toEqual({ country: 'KZ', mobile: '+77012345678' })
  })

  test('a number of a chosen country is accepted with and without its leading zero', () => {
    expect(typed('07400 123456', 'GB').mobile).toBe('+447400123456')
    expect(typed('7400 123456', 'GB').mobile).toBe('+447400123456')
  })

  test('nothing and nonsense are no number', () => {
    expect(typed('').mobile).toBeNull()
    expect(mobileFrom('12')).toBeNull()
    expect(mobileFrom('+7900123456789012345')).toBeNull()
  })
})

describe('what stands beside a number', () => {
  test.each([
    ['8 (495) 123-45-67 доб. 12', '+74951234567;ext=12'],
    ['+7 495 123-45-67 (доб. 12)', '+74951234567;ext=12'],
    ['+7 495 123-45-67, вн. 12', '+74951234567;ext=12'],
    ['+7 495 123-45-67 добавочный 12', '+74951234567;ext=12'],
    ['+7 495 123-45-67 внутренний 12', '+74951234567;ext=12'],
    ['+7 495 123-45-67 ext. 12', '+74951234567;ext=12'],
    ['+74951234567;ext=12', '+74951234567;ext=12'],
    ['+7 495 123-45-67 (Anna)', null],
    ['тел. +7 495 123-45-67', null],
    ['+7 495 123-45-67 доб. 12 (Anna)', null],
    ['+7 495 123-45-67, +7 495 123-45-68', null],
  ])('is kept as an extension, or refused: %s', (text, phone) => {
    expect(phoneFrom(text)).toBe(phone)
    expect(mobileFrom(text)).toBeNull()
  })

  test('is nothing for a number alone', () => {
    expect([phoneFrom('8 (495) 123-45-67'), mobileFrom('8 (495) 123-45-67')]).toEqual(['+74951234567', '+74951234567'])
  })
})

test('a number is shown as people of the language write it', () => {
  expect(mobileText('+79001234567', 'ru')).toBe('+7 900 123-45-67')
  expect(mobileText('+79001234567', 'en')).toBe('+7 900 123 45 67')
  expect(mobileText('+447400123456', 'ru')).toBe('+44 7400 123456')
  expect(mobileText('nonsense', 'ru')).toBe('nonsense')
  expect(mobileText('+74951234567;ext=12', 'ru')).toBe('+7 495 123-45-67 доб. 12')
  expect(mobileText('+74951234567;ext=12', 'en')).toBe('+7 495 123 45 67 ext. 12')
})
