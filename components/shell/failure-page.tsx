import type { ReactNode } from 'react'
import { Guilloche } from '../look/guilloche'
import { cn } from '../ui/cn'

type Props = { title: string; text: string; header?: ReactNode; footer?: ReactNode; children: ReactNode }

/** A whole page that tells what went wrong and what to do next, between an optional header and footer. */
export function FailurePage({ title, text, header, footer, children }: Props) {
  return (
    <div className="relative isolate grid min-h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto] overflow-hidden">
      {/* it fades out where the footer begins */}
      <div
        aria-hidden="true"
        className={cn(
          'absolute inset-0 -z-10 overflow-hidden',
          footer && '[mask-image:linear-gradient(to_bottom,black_calc(100%-22rem),transparent_calc(100%-9rem))]',
        )}
      >
        <Guilloche
          form="rosette"
          className="-right-[20rem] -bottom-[14rem] w-[40rem] opacity-50 md:top-1/2 md:-right-[14rem] md:bottom-auto md:w-[60rem] md:-translate-y-1/2 md:opacity-70"
        />
      </div>
      {header}
      <main id="main" className="row-start-2 flex items-center px-4 py-16 xs:px-6 md:px-12">
        <div className="grid max-w-[30rem] animate-arrive justify-items-start gap-6 md:ml-[8vw]">
          <div className="grid gap-2">
            <h1 className="text-title">{title}</h1>
            <p className="text-ink-second">{text}</p>
          </div>
          {children}
        </div>
      </main>
      <div className="px-4 pt-6 pb-[max(1.5rem,env(safe-area-inset-bottom))] empty:hidden xs:px-6 md:px-12 md:py-8 print:hidden">
        {footer}
      </div>
    </div>
  )
}
