import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { ServiceMark } from '@/components/shell/service-mark'
import { type ButtonLook, buttonClasses } from '@/components/ui/button-classes'
import { cn } from '@/components/ui/cn'
import { localName } from '@/lib/base/i18n/local-name'
import type { ApplicationNames, ProviderView } from '@/lib/openid/server/view'
import { StepHeading } from '../../_ui/step-heading'
import { titleOf } from './title'

/** The view of one kind. */
export type ViewOf<Kind extends ProviderView['kind']> = Extract<ProviderView, { kind: Kind }>

/** Returns the name of an application in the language of the reader. */
export function useNameOf() {
  const locale = useLocale()
  return (names: ApplicationNames) => localName(names, locale)
}

type Props = {
  view: ProviderView
  text: string
  application?: ApplicationNames | undefined
  note?: string | null
  children: ReactNode
}

/** A page of the OpenID Provider: the application, the question or the result, and the actions. */
export function Page({ view, text, application, note, children }: Props) {
  const t = useTranslations()
  const nameOf = useNameOf()
  return (
    <div className="grid animate-arrive gap-6">
      {application ? (
        <div className="flex items-center gap-3">
          <ServiceMark title={nameOf(application)} />
          <div className="grid min-w-0">
            <p className="wrap-anywhere font-medium">{nameOf(application)}</p>
            {note ? <p className="wrap-anywhere text-note text-ink-second">{note}</p> : null}
          </div>
        </div>
      ) : null}
      <StepHeading lead={text}>{titleOf(view, t, nameOf)}</StepHeading>
      {children}
    </div>
  )
}

/** Links and buttons as wide as the sign-in form; side by side if there is room. */
export const Actions = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-3 *:grow">{children}</div>
)

type Link = { href: string; variant?: ButtonLook['variant']; children: ReactNode }

/**
 * A link that looks like a button. It loads a whole page, because prefetching it would already answer the application.
 */
export const ButtonLink = ({ href, variant, children }: Link) => (
  <a href={href} className={buttonClasses({ variant, size: 'L' })}>
    {children}
  </a>
)

type Form = { action: string; xsrf?: string; className?: string; children: ReactNode }

/**
 * A form of the OpenID Provider. The browser submits it without a script, because the answer may redirect to the
 * application.
 */
export const PostForm = ({ action, xsrf, className, children }: Form) => (
  <form method="post" action={action} className={className}>
    {xsrf === undefined ? null : <input type="hidden" name="xsrf" value={xsrf} />}
    {children}
  </form>
)

type Submit = { name?: string; value?: string; variant?: ButtonLook['variant']; children: ReactNode }

/** Submits its form, with its own value if it has one. */
export const Submit = ({ variant, children, ...named }: Submit) => (
  <button {...named} className={cn(buttonClasses({ variant, size: 'L' }))}>
    {children}
  </button>
)
