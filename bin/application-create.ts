import { parseArgs } from 'node:util'
import { ApplicationInput } from '@/lib/applications/applications/contract'
import { applicationId, createApplication } from '@/lib/applications/applications/service'
import { parseOrThrow } from '@/lib/base/http/read'
import { runCommand, shellContext } from './operator'
import { StartFault } from './server/start-checks'

const usage = `npm run application:create -- --name <name> [options]

  --code <code>         lower-case Latin letters, digits, hyphens; made from the name by default
  --type <type>         external (default): of another owner, people are asked for consent
                        internal: your own, nobody is asked; its clients are changed by commands alone
                        draft: not open yet; link: a tile in the menu; virtual: a group of others
  --url <address>       where people open it
  --name-en <name>      its name in English
  --description <text>
  --description-en <text>
  --menu                show it in the menu of services
  --parent <code>       the virtual application under which it stands`

function wanted() {
  try {
    const text = { type: 'string' } as const
    const texts = { name: text, 'name-en': text, description: text, 'description-en': text }
    const options = { ...texts, code: text, type: text, url: text, parent: text, menu: { type: 'boolean' } } as const
    const { values } = parseArgs({ options })
    if (values.name) return values
  } catch {
    // an unknown option: the usage lists the valid ones
  }
  throw new StartFault(usage)
}

runCommand(
  wanted,
  async ({ menu, parent, type = 'external', 'name-en': nameEn, 'description-en': descriptionEn, ...given }) => {
    const parentId = parent ? await applicationId(parent) : null
    if (parent && !parentId) throw new StartFault(`there is no application with the code ${parent}`)
    const input = parseOrThrow(ApplicationInput, {
      ...given,
      type,
      nameEn,
      descriptionEn,
      parentId,
      menuVisible: menu === true,
    })
    const made = await createApplication(await shellContext(), input)
    console.log(`Application: ${made.code}`)
    console.log(`Next: npm run client:create -- --application ${made.code} --redirect <address>`)
  },
)
