import { get } from 'react-hook-form'
import { expect, test } from 'vitest'
import { errorsElsewhere, fieldErrors } from '@/components/form/field-errors'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const error = (message: string) => ({ type: 'custom', message })
const same = (name: string) => name
const textOf = (code: string) => `text of ${code}`

test('errors stand at the names that the form has', () => {
  const errors = { aliases: [error('errorScheme')], type: error('errorEmpty') }
  const shownErrors = fieldErrors(errors as never, (name) => (name.startsWith('aliases') ? 'host' : name), textOf)
  expect(shownErrors).toEqual({ host: error('text of errorScheme'), type: error('text of errorEmpty') })
})

test('an error of a whole list stays at its root, beside those of its rows', () => {
  const rows = Object.assign([undefined, { ip: error('errorFormat') }], { root: error('errorTooMany') })
  const shownErrors = fieldErrors({ rows } as never, same, textOf)
  expect(get(shownErrors, 'rows.1.ip.message')).toBe('text of errorFormat')
  expect(get(shownErrors, 'rows.root.message')).toBe('text of errorTooMany')
})

test('of two errors of one field the first stays', () => {
  expect(fieldErrors({ a: error('one'), b: error('two') }, () => 'field', textOf)).toEqual({
    field: error('text of one'),
  })
})

test('an error that no field shows is told above the form, each text once', () => {
  const given = { a: error('one'), b: [error('two'), error('two')], c: error('one') }
  const errors = fieldErrors(given as never, same, textOf)
  expect(errorsElsewhere(errors, (name) => name === 'a')).toEqual(['text of two', 'text of one'])
})

test('of random errors none is lost: a field shows it, or the form does', () => {
  const random = caseNumbers(20_261_127)
  const names = ['type', 'message', 'rows', 'values', 'root0', 'ref0']
  for (const _ of eachRound(2_000)) {
    let count = 0
    const tree = (depth: number): unknown => {
      if (depth === 0 || random(3) === 0) return error(`e${count++}`)
      if (random(2) === 0) return Array.from({ length: 1 + random(3) }, () => (random(3) ? tree(depth - 1) : undefined))
      return Object.fromEntries(names.filter(() => random(3) === 0).map((name) => [name, tree(depth - 1)]))
    }
    const given = Object.fromEntries(names.map((name) => [name, tree(3)]))
    const errors = fieldErrors(given as never, same, (code) => code)
    const shownFields = new Set<string>()
    const seen: string[] = []
    const isShown = (name: string) => {
      if (!shownFields.has(name) && random(2) === 0) {
        shownFields.add(name)
        seen.push(get(errors, `${name}.message`))
      }
      return shownFields.has(name)
    }
    const elsewhere = errorsElsewhere(errors, isShown)
    expect([...seen, ...elsewhere].toSorted()).toEqual(Array.from({ length: count }, (_, at) => `e${at}`).toSorted())
  }
})
