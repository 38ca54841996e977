import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contracts } from '@/lib/context/contracts'
import type { Contract } from '@/lib/kernel/http/contract'

/** A route file passes a contract and the verb of the same name to `route`, both from their modules. */

/** The exception is the file of live events: `lib/context/live.ts` makes its handler, which streams on request. */
const elsewhere = 'app/api/v1/platform/live/route.ts'

const files = globSync('app/api/v1/platform/**/route.ts').filter((file) => file !== elsewhere)
const handlersOf = (file: string) => {
  const text = readFileSync(file, 'utf8')
  return text.split(/^export const (?=\w+ = )/m).slice(1)
}

test('contract and verb of a call have one name', () => {
  const handlers = files.flatMap((file) => handlersOf(file).map((text) => ({ file, text })))
  expect(handlers).toHaveLength(contracts.length - 1)
  const others = handlers.filter(({ text }) => !/^[A-Z]+ = route\(\s*\w+\.(\w+),\s*\w+\.\1,?\s*\)\s*$/.test(text))
  expect(others).toEqual([])
})

/** Calls that the OpenAPI document has published under the second name. */
const published: Record<string, string> = {
  readInvitation: 'invitation',
  declineInvitation: 'invitationDecline',
  sendInvitationCode: 'invitationCode',
  verifyInvitationMobile: 'invitationVerify',
  acceptInvitation: 'invitationAccept',
}

test('a contract is exported under the name that the OpenAPI document gives it', () => {
  const modules = import.meta.glob('/lib/**/contract.ts', { eager: true }) as Record<string, Record<string, unknown>>
  const known = new Set<unknown>(contracts)
  const exported = Object.values(modules).flatMap((module) =>
    Object.entries(module).filter(([, value]) => known.has(value)),
  )
  expect(exported).toHaveLength(contracts.length)
  const named = exported.map(([name, value]) => [name, (value as Contract).name])
  expect(named.filter(([name = '', operation]) => (published[name] ?? name) !== operation)).toEqual([])
})
