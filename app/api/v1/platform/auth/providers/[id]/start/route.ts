import { providerStartRoute } from '@/lib/request/provider-sign-in'

export const GET = providerStartRoute
