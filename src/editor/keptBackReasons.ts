/** Why a link is kept back that leads out of the workspace; to be followed by its path. */
export const LINK_OUT = 'a link out of the workspace:';
