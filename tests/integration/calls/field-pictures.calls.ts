import { deleteContractorPicture, patchContractorPicture, readContractor } from '@/lib/companies/contractors/contract'
import { readFieldPicture } from '@/lib/fields/field-pictures/contract'
import { deleteProfilePicture, patchProfilePicture } from '@/lib/my-account/personal/contract'
import { type Caller, callerFor } from '../../factories/caller'
import { createContractor } from '../../factories/companies'
import { defineField } from '../../factories/fields'
import { samples } from '../../factories/file-samples'
import { faultyPictures, fileOf, halves } from '../../factories/pictures'
import { proof, provenIn } from '../../factories/proofs'

const tests = ['fields/field-pictures.test.ts']
const body = async () => ({ file: fileOf(await halves().png().toBuffer()) })

const ofPerson = async () => {
  const caller = await callerFor(patchProfilePicture)
  const params = { code: await defineField({ fieldType: 'picture' }) }
  return { caller, params, give: async () => caller.call(patchProfilePicture, { params, body: await body() }) }
}
const large = () => {
  const bytes = new Uint8Array(5 * 1024 ** 2 + 1)
  bytes.set(samples['image/png'])
  return bytes
}
const faulty = (fault: 'broken' | 'huge') => faultyPictures.find(([, , kind]) => kind === fault)?.[1]

/** A contractor with a field for a picture. */
const ofContractor = async (wishes: object = {}) => {
  const { id } = (await createContractor()).contractor
  return { id, code: await defineField({ fieldType: 'picture', type: 'contractors', ...wishes }) }
}
type Params = Awaited<ReturnType<typeof ofContractor>>
const valuesOf = async (caller: Caller, { id }: Params) =>
  (await caller.call(readContractor, { params: { id } })).values
/** Refuses a file. */
const refused = (make: () => Promise<Uint8Array> | Uint8Array | undefined) => ({
  field: 'file',
  input: async (_: Caller, { id, code }: Params) => ({
    params: { id, code },
    body: { file: fileOf((await make()) as Uint8Array) },
  }),
})

export default [
  provenIn(readFieldPicture, tests),
  provenIn(patchProfilePicture, tests, {
    rules: ['accounts/pictures.test.ts'],
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
  proof(patchContractorPicture, {
    makes: ['update contractors'],
    prepare: async () => ({ ...(await ofContractor()), ...(await body()) }),
    input: ({ id, code, file }) => ({ params: { id, code }, body: { file } }),
    look: valuesOf,
    shows: ({ code }, { fileId }) => ({ [code]: fileId }),
    errors: {
      errorPicture: refused(() => faulty('broken')?.()),
      errorPicturePixels: refused(() => faulty('huge')?.()),
      errorFileType: refused(() => samples['image/svg+xml']),
      errorFileSize: refused(large),
      errorReadOnly: {
        field: 'code',
        input: async () => ({ params: await ofContractor({ adminEdit: false }), body: await body() }),
      },
    },
  }),
  proof(deleteContractorPicture, {
    makes: ['update contractors'],
    prepare: async () => {
      const [giver, params] = [await callerFor(patchContractorPicture), await ofContractor()]
      await giver.call(patchContractorPicture, { params, body: await body() })
      return params
    },
    input: (params) => ({ params }),
    look: async (caller, params) => Object.keys(await valuesOf(caller, params)),
    shows: () => [],
    errors: {
      errorReadOnly: { field: 'code', input: async () => ({ params: await ofContractor({ adminEdit: false }) }) },
    },
  }),
]
