import { providerStartRoute } from '@/lib/context/provider-sign-in'

export const GET = providerStartRoute
