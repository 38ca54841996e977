import { describe, expect, test, vi } from 'vitest'
import { composeSms, smsParts } from '@/lib/base/mail-and-sms/compose-sms'
import { dayBegins, localTime, momentAt, timeZoneFrom, yearRoundZoneLabel, zoneLabel } from '@/lib/base/text/time-zone'

const zones = Intl.supportedValuesOf('timeZone')

test('every zone that Intl knows is taken, and spelled as Intl does', () => {
  expect(zones.length).toBeGreaterThan(300)
  for (const zone of zones) expect(timeZoneFrom(zone), zone).toBe(timeZoneFrom(zone.toUpperCase()))
  expect(timeZoneFrom('asia/yekaterinburg')).toBe('Asia/Yekaterinburg')
  expect(timeZoneFrom('UTC')).toBe('UTC')
})

test.each([
  '',
  'Mars/Olympus',
  '+03:00',
  'GMT+99',
  'Europe/Moscow;drop table users',
  "Europe/Moscow'",
  '../../etc/passwd',
  'Europe/Moscow\n',
  'a'.repeat(10_000),
  '__proto__',
  'constructor',
])('%j is no zone', (text) => {
  expect(timeZoneFrom(text)).toBeNull()
})

test('a zone is looked up once, and names that somebody invents neither change nor fill anything', () => {
  const intl = vi.spyOn(Intl, 'DateTimeFormat')
  timeZoneFrom('Europe/Samara')
  const before = intl.mock.calls.length
  for (let n = 0; n < 100; n++) expect(timeZoneFrom('Europe/Samara')).toBe('Europe/Samara')
  expect(intl.mock.calls.length).toBe(before)
  for (let n = 0; n < 5_000; n++) expect(timeZoneFrom(`Europe/Nowhere${n}`)).toBeNull()
  expect(timeZoneFrom('Europe/Samara')).toBe('Europe/Samara')
  expect(timeZoneFrom('Europe/Nowhere7')).toBeNull()
  // a memory without a bound would know it still
  expect(intl.mock.calls.length).toBe(before + 5_000 + 2)
  intl.mockRestore()
})

const localText = (moment: Date, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment)

describe('a day of the calendar', () => {
  test('begins at the first moment that bears its date, in every zone, over the years in which clocks were set', () => {
    for (const zone of zones)
      for (const day of [
        '2026-03-08',
        '2026-03-29',
        '2026-10-25',
        '2026-11-01',
        '2018-11-04',
        '2026-01-01',
        '2024-02-29',
      ]) {
        const begins = dayBegins(day, zone)
        expect(localText(begins, zone).slice(0, 10), `${zone} ${day}`).toBe(day)
        expect(localText(new Date(begins.getTime() - 1000), zone).slice(0, 10) < day, `before ${zone} ${day}`).toBe(
          true,
        )
      }
  })

  test('ends where the next one begins', () => {
    expect(dayBegins('2026-12-31', 'Asia/Yekaterinburg', 1)).toEqual(dayBegins('2027-01-01', 'Asia/Yekaterinburg'))
    expect(dayBegins('2026-11-23', 'Europe/Moscow').toISOString()).toBe('2026-11-22T21:00:00.000Z')
  })
})

test('a zone is called by its shift from UTC, and Moscow’s by its name', () => {
  const label = (zone: string, moment = '2026-07-01T12:00:00Z') => zoneLabel(zone, new Date(moment), 'МСК')
  expect(label('Europe/Moscow')).toBe('МСК')
  expect(label('Asia/Yekaterinburg')).toBe('UTC+5')
  expect(label('Asia/Kolkata')).toBe('UTC+5:30')
  expect(label('America/New_York')).toBe('UTC−4')
  expect(label('America/New_York', '2026-01-01T12:00:00Z')).toBe('UTC−5')
  expect(label('Europe/London', '2026-01-01T12:00:00Z')).toBe('UTC')
})

test('an SMS names the zone in the plain alphabet, so that it costs no more', async () => {
  const values = { date: new Date('2026-01-15T09:00:00Z') }
  const sender = { project: 'Polaris', origin: 'https://id.polaris.example' }
  const { text } = await composeSms('passwordChanged', 'en', values, sender, 'America/New_York')
  expect(text).toContain('4:00 AM UTC-5')
  expect(smsParts(text)).toBe(1)
})

describe('a local time', () => {
  test('is the moment at which the clocks of the zone show it', () => {
    expect(momentAt('2026-11-23T15:30', 'Europe/Moscow')?.toISOString()).toBe('2026-11-23T12:30:00.000Z')
    expect(momentAt('2026-07-01T00:05', 'America/New_York')?.toISOString()).toBe('2026-07-01T04:05:00.000Z')
    for (const text of ['', '2026-11-23', '2026-11-23T15:30Z', '2026-13-01T00:00', 'tomorrow'])
      expect(momentAt(text, 'Europe/Moscow'), text).toBeNull()
  })

  test('comes back from its moment, except in the hour that the clocks leave out', () => {
    for (const zone of ['Europe/Moscow', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC'])
      for (let hours = 0; hours < 24 * 365; hours += 41) {
        const local = new Date(Date.UTC(2026, 0, 1, hours, 30)).toISOString().slice(0, 16)
        const moment = momentAt(local, zone)
        if (!moment) throw new Error(local)
        const back = localTime(moment, zone)
        if (back !== local) expect(Math.abs(Date.parse(`${back}Z`) - Date.parse(`${local}Z`)), local).toBe(3_600_000)
      }
    expect(localTime(momentAt('2026-03-08T02:30', 'America/New_York') as Date, 'America/New_York')).toBe(
      '2026-03-08T03:30',
    )
  })
})

test('a zone beside times of any date is called by its shift, or by its name where the clocks are set', () => {
  const label = (zone: string) => yearRoundZoneLabel(zone, 'МСК', new Date('2026-07-01T12:00:00Z'))
  expect(
    ['Europe/Moscow', 'Asia/Yekaterinburg', 'Asia/Kolkata', 'UTC', 'Europe/Berlin', 'Australia/Sydney'].map(label),
  ).toEqual(['МСК', 'UTC+5', 'UTC+5:30', 'UTC', 'Europe/Berlin', 'Australia/Sydney'])
})
