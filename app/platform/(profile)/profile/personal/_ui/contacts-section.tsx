import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/kernel/ctx'
import { mobileText } from '@/lib/kernel/mobile'
import { platformSettings } from '@/lib/platform/settings/service'
import type { Contact, ContactKind } from '@/lib/profile/contacts/contract'
import { getContactDetails } from '@/lib/profile/contacts/service'
import { AddContact, ContactRowMenu } from './contact-parts'

const lists = [
  { kind: 'email', list: 'emails', id: 'email' },
  { kind: 'mobile', list: 'mobiles', id: 'mobile' },
] as const

/** The person's e-mails and mobiles. `editable` is whether the profile isn't locked. */
export async function ContactsSection({ ctx, editable }: { ctx: Ctx; editable: boolean }) {
  const [t, { contactsInfo, updatedAt }, { authCodeDigits: digits }] = await Promise.all([
    getTranslations('account.contacts'),
    getContactDetails(ctx),
    platformSettings(),
  ])
  const shown = (kind: ContactKind, value: string) => (kind === 'mobile' ? mobileText(value, ctx.locale) : value)
  return (
    <>
      {lists.map(({ kind, list, id }) => (
        <CardGroup
          key={kind}
          title={t(list)}
          action={editable ? <AddContact kind={kind} digits={digits} contacts={contactsInfo[list]} /> : null}
        >
          {contactsInfo[list].length === 0 ? (
            <p id={id} className="text-ink-second">
              {t('none')}
            </p>
          ) : (
            <ul id={id} className="divide-y divide-line overflow-clip rounded-card border border-line bg-surface">
              {contactsInfo[list].map((contact) => (
                <li key={contact.value} className="flex items-center gap-3 py-2.5 pr-3 pl-4">
                  <div className="grid min-w-0 grow gap-1">
                    <p className="wrap-anywhere flex flex-wrap items-center gap-x-2.5 gap-y-1">
                      <span className="tabular-nums">{shown(kind, contact.value)}</span>
                      {contact.main ? <Pill tone="info">{t('main')}</Pill> : null}
                      <Pill tone={contact.verified ? 'ok' : 'warning'}>
                        {t(contact.verified ? 'verified' : 'unverified')}
                      </Pill>
                    </p>
                    <p className="text-ink-second text-note">
                      {[
                        t(`agreements.${contact.agreement}`),
                        ...contact.messengers.map((each) => t(`messengerNames.${each}`)),
                      ].join(' · ')}
                    </p>
                  </div>
                  {editable ? (
                    <ContactRowMenu
                      name={shown(kind, contact.value)}
                      kind={kind}
                      digits={digits}
                      contact={contact satisfies Contact}
                      contacts={contactsInfo[list]}
                      updatedAt={updatedAt}
                    />
                  ) : null}
                </li>
              ))}
            </ul>
          )}
        </CardGroup>
      ))}
    </>
  )
}
