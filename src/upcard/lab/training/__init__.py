"""Training by self-play: learned policies, and the weights of hand features. See `upcard train`."""
