import { deleteApplicationIcon, patchApplicationIcon } from '@/lib/platform/applications/contract'
import { readLogo } from '@/lib/platform/pictures/contract'
import { newApplication } from '../../factories/applications'
import { callerFor } from '../../factories/caller'
import { fileOf, halves } from '../../factories/pictures'
import { provenIn } from '../../factories/proofs'

const tests = ['logos.test.ts']
const given = async () => {
  const [caller, { id }] = [await callerFor(patchApplicationIcon), await newApplication()]
  const file = fileOf(await halves().png().toBuffer())
  return { caller, params: { id }, give: () => caller.call(patchApplicationIcon, { params: { id }, body: { file } }) }
}

export default [
  provenIn(readLogo, tests),
  provenIn(patchApplicationIcon, tests, {
    rules: ['pictures.test.ts'],
    makes: ['update applications'],
    prepare: async () => (await given()).give,
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
