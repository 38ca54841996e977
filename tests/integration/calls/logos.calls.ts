import { deleteApplicationIcon, patchApplicationIcon } from '@/lib/applications/applications/contract'
import { createDomain, deleteDomainLogo, patchDomainLogo } from '@/lib/site/domains/contract'
import { readLogo } from '@/lib/site/pictures/contract'
import { newApplication } from '../../factories/applications'
import { callerFor } from '../../factories/caller'
import { fileOf, halves } from '../../factories/pictures'
import { provenIn } from '../../factories/proofs'

const tests = ['site/logos.test.ts']
const given = async () => {
  const [caller, { id }] = [await callerFor(patchApplicationIcon), await newApplication()]
  const file = fileOf(await halves().png().toBuffer())
  return { caller, params: { id }, give: () => caller.call(patchApplicationIcon, { params: { id }, body: { file } }) }
}

const onDomain = async () => {
  const caller = await callerFor(patchDomainLogo)
  const { id } = await caller.call(createDomain, { body: { aliases: [`${crypto.randomUUID()}.example`] } })
  const file = fileOf(await halves().png().toBuffer())
  return { caller, params: { id }, give: () => caller.call(patchDomainLogo, { params: { id }, body: { file } }) }
}

export default [
  provenIn(readLogo, tests),
  provenIn(patchApplicationIcon, tests, {
    rules: ['accounts/pictures.test.ts'],
    makes: ['update applications'],
    prepare: async () => (await given()).give,
  }),
  provenIn(patchDomainLogo, tests, {
    rules: ['accounts/pictures.test.ts'],
    makes: ['update domains'],
    prepare: async () => (await onDomain()).give,
  }),
  provenIn(deleteDomainLogo, tests, {
    makes: ['update domains'],
    prepare: async () => {
      const { caller, params, give } = await onDomain()
      await give()
      return () => caller.call(deleteDomainLogo, { params })
    },
  }),
  provenIn(deleteApplicationIcon, tests, {
    makes: ['update applications'],
    prepare: async () => {
      const { caller, params, give } = await given()
      await give()
      return () => caller.call(deleteApplicationIcon, { params })
    },
  }),
]
