import { screenAt } from '@/lib/kernel/navigation/screens'
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { signInAs } from './signed-in'
import { wordsOf } from './words'

// What the overview of the administration counts leads to its list (docs/rules/administration-screens.md#overview).

for (const language of languages)
  test(`each figure and each matter of the overview leads to its page, ${language}`, async ({ page, context }) => {
    const { overview: t } = wordsOf(language)
    await signInAs(context, 'admin', language)
    await page.goto('/platform/setting')
    const figures = page.getByRole('region', { name: t.figuresTitle }).getByRole('link')
    const matters = page.getByRole('region', { name: t.mattersTitle }).getByRole('link')
    await expect(figures.first()).toBeVisible()
    const names = await figures.allTextContents()
    const paths = await matters.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    const reached: (string | undefined)[] = []
    for (const name of names) {
      await page.getByRole('region', { name: t.figuresTitle }).getByRole('link', { name, exact: true }).click()
      await expect(page).not.toHaveURL('/platform/setting')
      const { pathname } = new URL(page.url())
      reached.push(screenAt(pathname)?.name)
      await expect(page.locator('h1')).toHaveText(/\S/)
      await page.goto('/platform/setting')
    }
    // each leads to a list of its own
    expect(reached).not.toContain(undefined)
    expect(new Set(reached).size).toBe(names.length)
    for (const path of paths) {
      const [where = '', hash] = path.split('#')
      const answer = await page.goto(path)
      // the same page with another place answers nothing
      if (where) expect([path, answer?.status()]).toEqual([path, 200])
      if (hash) await expect(page.locator(`[id="${hash}"]`)).toBeAttached()
    }
  })
