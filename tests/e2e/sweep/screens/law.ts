import type { Rows } from '../row'

export const rows: Rows = {
  HelpService: [
    { open: '/platform/help' },
    {
      name: 'found',
      open: async ({ page, language }) => {
        await page.goto(`/platform/help?search=${language === 'ru' ? 'код' : 'code'}`)
      },
    },
    { name: 'nothing found', open: '/platform/help?search=zzz' },
  ],
  LawPage: [{ open: '/platform/law/cookies' }, { name: 'the user agreement', open: '/platform/law/user-agreement' }],
  offline: [{ open: '/platform/offline' }],
  outbox: [
    { open: '/platform/dev/outbox' },
    { name: 'empty', open: '/platform/dev/outbox?filter[recipient]=nobody@nowhere.example' },
  ],
}
