import { StartFault } from '../start-fault'
import { type Noun, verb } from './noun'

const create = verb(
  'create',
  'Creates an application',
  (own) =>
    own
      .option('name', { type: 'string', demandOption: true })
      .option('code', {
        type: 'string',
        describe: 'lower-case Latin letters, digits, hyphens; by default from the name',
      })
      .option('type', {
        type: 'string',
        default: 'external',
        describe:
          'external: of another owner, people are asked for consent; internal: your own, nobody is asked, its clients are changed by commands alone; draft: not open yet; link: a tile in the menu; virtual: a group of others',
      })
      .option('url', { type: 'string', describe: 'where people open it' })
      .option('name-en', { type: 'string', describe: 'its name in English' })
      .option('description', { type: 'string' })
      .option('description-en', { type: 'string' })
      .option('menu', { type: 'boolean', default: false, describe: 'shows it in the menu of services' })
      .option('parent', { type: 'string', describe: 'the code of the virtual application under which it stands' }),
  async ({ name, code, type, url, description, menu, parent, 'name-en': nameEn, 'description-en': descriptionEn }) => {
    const { runCommand, shellContext } = await import('../operator')
    const { ApplicationInput } = await import('@/lib/applications/applications/contract')
    const { applicationId, createApplication } = await import('@/lib/applications/applications/service')
    const { parseOrThrow } = await import('@/lib/base/http/read')
    await runCommand(async () => {
      const parentId = parent ? await applicationId(parent) : null
      if (parent && !parentId) throw new StartFault(`there is no application with the code ${parent}`)
      const texts = { name, code, type, url, description, nameEn, descriptionEn }
      const input = parseOrThrow(ApplicationInput, { ...texts, parentId, menuVisible: menu })
      const made = await createApplication(await shellContext(), input)
      console.log(`Application: ${made.code}`)
      console.log(`Next: platform client create --application ${made.code} --redirect <address>`)
    })
  },
)

export const application: Noun = { describe: 'Applications', verbs: [create] }
