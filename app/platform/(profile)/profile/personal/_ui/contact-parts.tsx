'use client'

import { Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentProps, lazy, Suspense, useRef } from 'react'
import { useFilling } from '@/components/card/use-filling'
import { ActionButton } from '@/components/form/action-button'
import { RowMenuLater } from '@/components/list/row-menu-later'
import type { ContactKind } from '@/lib/my-account/contact-details/contract'
import type { ContactMenu } from './contact-menu'

const menu = () => import('./contact-menu').then((part) => part.ContactMenu)

/** The menu of a contact's row. */
export function ContactRowMenu(props: ComponentProps<typeof ContactMenu>) {
  return <RowMenuLater row={props.name} menu={menu} of={props} />
}

const NewContact = lazy(() => import('./contact-forms').then((part) => ({ default: part.NewContact })))

/** The button that adds a contact of a kind. */
export function AddContact({
  kind,
  digits,
  first,
  mainFixed,
}: {
  kind: ContactKind
  digits: number
  first: boolean
  mainFixed: boolean
}) {
  const t = useTranslations('account.contacts')
  const label = t(kind === 'email' ? 'addEmail' : 'addMobile')
  const box = useRef<HTMLSpanElement>(null)
  useFilling([kind], () => box.current?.querySelector('button')?.click())
  return (
    <span ref={box} className="contents">
      <ActionButton
        action={{
          kind: 'dialog',
          label,
          icon: Plus,
          title: label,
          body: (done) => (
            <Suspense fallback={null}>
              <NewContact kind={kind} digits={digits} first={first} mainFixed={mainFixed} onDone={done} />
            </Suspense>
          ),
        }}
      />
    </span>
  )
}
