import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { providers } from '@/db/schema'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { encrypt } from '@/lib/base/crypto/encryption'
import {
  compareConfiguration,
  exportConfiguration,
  exportSealedConfiguration,
  importConfiguration,
} from '@/lib/operations/configuration-file/contract'
import { configurationText, importText } from '@/lib/operations/configuration-file/service'
import { createContext } from '../../factories/context'
import { provenIn } from '../../factories/proofs'

const tests = ['operations/configuration.test.ts']
const both = [...tests, 'operations/configuration-refused.test.ts']
/** Other proofs leave directories whose secrets nobody sealed. */
async function sealSecrets() {
  for (const { id } of await db().select({ id: providers.id }).from(providers))
    await db()
      .update(providers)
      .set({ clientSecret: encrypt('providers', 'secret', id) })
      .where(eq(providers.id, id))
}
const all = () => createContext({ methods: [...systemicMethods] })

export default [
  provenIn(exportConfiguration, tests),
  provenIn(exportSealedConfiguration, tests, {
    makes: ['update configuration'],
    prepare: async () => {
      const ctx = await all()
      await sealSecrets()
      return () => configurationText(ctx, 'a passphrase of the test')
    },
  }),
  provenIn(compareConfiguration, both, { unrecorded: 'it undoes all that it does' }),
  provenIn(importConfiguration, both, {
    makes: ['create banners', 'update configuration'],
    prepare: async () => {
      const ctx = await all()
      const file = JSON.parse(await configurationText(ctx))
      const code = `banner-${randomUUID()}`
      file.content = { banners: [{ code, title: code, text: '', link: '', visible: false }] }
      return () => importText(ctx, { text: JSON.stringify(file), prune: false, dry: false })
    },
  }),
]
