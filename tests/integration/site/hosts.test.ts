import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { messages } from '@/db/schema'
import { messageContent } from '@/lib/base/mail-and-sms/send-message'
import { Browser } from '../../factories/browser'
import { createDomain } from '../../factories/domains'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

test('mails contain the domain’s own address, never the host of the request', async () => {
  const domain = await createDomain()
  for (const [host, origin] of [
    ['evil.example', 'http://localhost:3000'],
    [`${domain}:3000`, `http://${domain}:3000`],
  ] as const) {
    const user = await createUser()
    await signInByPassword(new Browser(), user.login, password)
    // a second browser, so the owner gets a mail
    await signInByPassword(new Browser(host), user.login, password)
    const [mail] = await db().select().from(messages).where(eq(messages.userId, user.id))
    const content = JSON.stringify(mail && messageContent(mail))
    expect(content).not.toContain('evil.example')
    expect(content).toContain(origin)
  }
})
