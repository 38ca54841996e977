import { randomUUID } from 'node:crypto'
import { systemicMethods } from '@/lib/kernel/access-methods'
import {
  compareConfiguration,
  exportConfiguration,
  exportSealedConfiguration,
  importConfiguration,
} from '@/lib/operations/configuration/contract'
import { configurationText, importText } from '@/lib/operations/configuration/service'
import { createContext } from '../../factories/context'
import { provenIn } from '../../factories/proofs'

const tests = ['configuration.test.ts']
const both = [...tests, 'configuration-refused.test.ts']
const all = () => createContext({ methods: [...systemicMethods] })

export default [
  provenIn(exportConfiguration, tests),
  provenIn(exportSealedConfiguration, tests, {
    makes: ['update configuration'],
    prepare: async () => {
      const ctx = await all()
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
