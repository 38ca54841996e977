import { expect, test } from 'vitest'
import type { Contract } from '@/lib/base/contracts/contract'
import { isContract } from '@/lib/base/http/endpoints'
import { contracts } from '@/lib/wiring/contracts'

/** Calls that the OpenAPI document has published under the second name. */
const published: Record<string, string> = {
  readInvitation: 'invitation',
  declineInvitation: 'invitationDecline',
  sendInvitationCode: 'invitationCode',
  verifyInvitationMobile: 'invitationVerify',
  acceptInvitation: 'invitationAccept',
}

test('each contract that a slice exports has an endpoint, under the name that the OpenAPI document gives it', () => {
  const modules = import.meta.glob('/lib/*/*/contract.ts', { eager: true }) as Record<string, Record<string, unknown>>
  const exported = Object.values(modules).flatMap((module) =>
    Object.entries(module).filter((entry): entry is [string, Contract] => isContract(entry[1])),
  )
  expect(new Set(exported.map(([, contract]) => contract))).toEqual(new Set(contracts))
  const named = exported.map(([name, contract]) => [name, contract.name])
  expect(named.filter(([name = '', operation]) => (published[name] ?? name) !== operation)).toEqual([])
})
