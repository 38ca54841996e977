import { deleteContractorPicture, patchContractorPicture } from '@/lib/people/contractors/contract'
import { readFieldPicture } from '@/lib/people/field-pictures/contract'
import { deleteProfilePicture, patchProfilePicture } from '@/lib/profile/personal/contract'
import { callerFor } from '../../factories/caller'
import { createContractor } from '../../factories/companies'
import { defineField } from '../../factories/fields'
import { fileOf, halves } from '../../factories/pictures'
import { provenIn } from '../../factories/proofs'

const tests = ['field-pictures.test.ts']
const body = async () => ({ file: fileOf(await halves().png().toBuffer()) })

const ofPerson = async () => {
  const caller = await callerFor(patchProfilePicture)
  const params = { code: await defineField({ fieldType: 'picture' }) }
  return { caller, params, give: async () => caller.call(patchProfilePicture, { params, body: await body() }) }
}
const ofContractor = async () => {
  const caller = await callerFor(patchContractorPicture)
  const { id } = (await createContractor()).contractor
  const params = { id, code: await defineField({ fieldType: 'picture', type: 'contractors' }) }
  return { caller, params, give: async () => caller.call(patchContractorPicture, { params, body: await body() }) }
}

export default [
  provenIn(readFieldPicture, tests),
  provenIn(patchProfilePicture, tests, {
    rules: ['pictures.test.ts'],
    makes: ['update users'],
    prepare: async () => (await ofPerson()).give,
  }),
  provenIn(deleteProfilePicture, tests, {
    makes: ['update users'],
    prepare: async () => {
      const { caller, params, give } = await ofPerson()
      await give()
      return () => caller.call(deleteProfilePicture, { params })
    },
  }),
  provenIn(patchContractorPicture, tests, {
    rules: ['pictures.test.ts'],
    makes: ['update contractors'],
    prepare: async () => (await ofContractor()).give,
  }),
  provenIn(deleteContractorPicture, tests, {
    makes: ['update contractors'],
    prepare: async () => {
      const { caller, params, give } = await ofContractor()
      await give()
      return () => caller.call(deleteContractorPicture, { params })
    },
  }),
]
