import { expect, test } from 'vitest'
import { durationText, unitText } from '@/lib/base/i18n/duration-text'
import { asDuration } from '@/lib/site/settings/duration'

test('a lifespan in seconds is read in its largest unit, in either language', () => {
  const read = (seconds: number) => ['ru', 'en'].map((locale) => durationText(asDuration(seconds), locale))
  expect(read(604_800)).toEqual(['7 дней', '7 days'])
  expect(read(3_600)).toEqual(['1 час', '1 hour'])
  expect(read(90)).toEqual(['90 секунд', '90 seconds'])
  expect([1, 2, 5].map((count) => unitText('minutes', count, 'ru'))).toEqual(['минута', 'минуты', 'минут'])
  expect([0, 1].map((count) => unitText('days', count, 'en'))).toEqual(['days', 'day'])
})
