"""The agent's closing message: claims, questions, abstentions."""
